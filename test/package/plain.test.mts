import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';
import { expect, it } from 'vitest';

/* What saves lines and costs readers: each value has a line, or a name, of its own. */

/** Without parentheses and types around it: `([1] as const)` is `[1]`. */
function bare(expression: ts.Expression): ts.Expression {
	const isWrapped =
		ts.isParenthesizedExpression(expression) ||
		ts.isAsExpression(expression) ||
		ts.isSatisfiesExpression(expression) ||
		ts.isNonNullExpression(expression);
	return isWrapped ? bare(expression.expression) : expression;
}

function isSpreadOfLiteral(node: ts.Node): boolean {
	if (!ts.isSpreadAssignment(node) && !ts.isSpreadElement(node)) return false;
	const spread = bare(node.expression);
	return ts.isObjectLiteralExpression(spread) || ts.isArrayLiteralExpression(spread);
}

function isListTakenApart(node: ts.Node): boolean {
	if (ts.isVariableDeclaration(node)) {
		if (!node.initializer || !ts.isArrayBindingPattern(node.name)) return false;
		return ts.isArrayLiteralExpression(bare(node.initializer));
	}
	if (!ts.isBinaryExpression(node)) return false;
	if (node.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return false;
	return ts.isArrayLiteralExpression(node.left) && ts.isArrayLiteralExpression(bare(node.right));
}

function placesIn(file: string, text: string): string[] {
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const places: string[] = [];
	const visit = (node: ts.Node) => {
		if (isSpreadOfLiteral(node) || isListTakenApart(node)) {
			const { line } = source.getLineAndCharacterOfPosition(node.getStart());
			places.push(`${file}:${line + 1} ${node.getText()}`);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return places;
}

it.each([
	'const one = { ...{ a, b } };',
	'const one = { ...({ a } as const), b };',
	'const one = [...[a, b], c];',
	'const one = call(...([a, b] as const));',
	'const [one, other] = [a, b];',
	'let [one, other] = [a, b] as [string, number];',
	'[one, other] = [other, one];',
])('a place with literals that are only written to be taken apart is found: %s', (text) => {
	expect(placesIn('one.mts', text)).toHaveLength(1);
});

it.each([
	'const one = { ...a, ...(b ? { c } : {}), ...(d && { e }) };',
	'const one = [...a, ...(b ? [c] : []), ...[d].map(String)];',
	'const [one, other] = call();',
	'for (const [one, other] of [[a, b]]) call(one, other);',
])('a place that is plain, or has a condition, is not found: %s', (text) => {
	expect(placesIn('one.mts', text)).toEqual([]);
});

it('no literal is spread into another one, and no list is written to be taken apart at once', () => {
	const files = ['nodes', 'credentials', 'test'].flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.filter((name) => /\.m?ts$/.test(name))
			.map((name) => join(folder, name)),
	);
	expect(files.length).toBeGreaterThan(200);
	files.push('index.ts', 'vitest.config.mts');
	expect(files.flatMap((file) => placesIn(file, readFileSync(file, 'utf8')))).toEqual([]);
});
