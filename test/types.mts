import { ESLint, type Linter } from 'eslint';
import ts from 'typescript';
import tseslint from 'typescript-eslint';

/*
 * Checks the types of the tests, and that each promise in them is awaited, for which the linter needs their types. Both
 * use one program, because making it takes most of the time.
 */

const FOLDER = import.meta.dirname;

const { config } = ts.readConfigFile(`${FOLDER}/tsconfig.json`, (path) => ts.sys.readFile(path));
const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, FOLDER);
const program = ts.createProgram(fileNames, options);
const host = ts.createCompilerHost(options);
const mistakes = ts.getPreEmitDiagnostics(program);
process.stdout.write(ts.formatDiagnostics(mistakes, host));

// The two packages declare the same types differently
const overrideConfig = tseslint.config({
	extends: [tseslint.configs.base],
	files: ['**/*.mts'],
	languageOptions: { parserOptions: { programs: [program] } },
	rules: { '@typescript-eslint/no-floating-promises': 'error' },
}) as Linter.Config[];
const eslint = new ESLint({ cwd: FOLDER, overrideConfigFile: true, overrideConfig });
const results = await eslint.lintFiles('.');
process.stdout.write(await (await eslint.loadFormatter()).format(results));

const isFine = mistakes.length === 0 && results.every(({ errorCount }) => errorCount === 0);
process.exitCode = isFine ? 0 : 1;
