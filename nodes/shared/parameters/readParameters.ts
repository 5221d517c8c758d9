import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { absoluteUrl } from './addresses';
import type { Parameter, Value } from './parameter';
import { textList } from './textList';
import {
	identifier,
	InvalidValue,
	isGiven,
	isNothing,
	isObject,
	oneOf,
	quote,
	text,
	trueOrFalse,
	wholeNumber,
} from './values';

export interface Target {
	/** The values of all parameters that were read before */
	values: IDataObject;
	/** Must also add the value to `values`, because later parameters depend on it */
	put: (parameter: Parameter, value: Value) => void;
	/** Called instead of `put` when a record is chosen by its URL */
	lookUp?: (parameter: Parameter, url: string) => void;
	isExpression?: ((name: string) => boolean) | undefined;
}

/**
 * Reads and checks parameters, including those in collections. Three words tell what a parameter holds:
 * - raw: what n8n gives, which may be a resource locator
 * - entered: what the user or an expression has entered, without the locator
 * - value: what the node uses, after the check
 * @param rawOf returns what n8n gives for the parameter with this name
 * @throws InvalidValue with the display name of the parameter
 */
export function readParameters(
	parameters: Parameter[],
	rawOf: (name: string) => unknown,
	target: Target,
): void {
	for (const parameter of parameters) {
		if (!applies(parameter, target.values)) continue;
		const raw = rawOf(parameter.property.name);
		if (parameter.parameters) {
			const added = isObject(raw) ? raw : {};
			for (const inner of parameter.parameters) {
				if (!(inner.property.name in added)) continue;
				checkSwitch(inner, added, target.values);
				if (parameter.property.name === 'filters') checkFilter(inner, added, target.values);
			}
			readParameters(parameter.parameters, (name) => added[name], {
				...target,
				isExpression: undefined,
			});
		} else {
			checkFound(parameter, raw, target);
			readParameter(parameter, raw, target);
		}
	}
}

/** Throws if an expression finds nothing. Otherwise the default would apply unnoticed, such as Limit 50 or type 'new'. */
function checkFound({ property }: Parameter, raw: unknown, { values, isExpression }: Target): void {
	const { name, displayName, required } = property;
	if (required || values['@tool'] === true || !isNothing(enteredIn(raw))) return;
	if (!isExpression?.(name)) return;
	const advice = 'Its expression returns nothing. Check its field names, or enter a fixed value.';
	throw new InvalidValue('has no value', advice, displayName);
}

/** Throws if a parameter that was added to a collection is a switch without a value: Dry Run would be off. */
function checkSwitch({ property }: Parameter, added: IDataObject, values: IDataObject): void {
	const { type, name, displayName } = property;
	const entered = enteredIn(added[name]);
	const isEmpty = isLeftOut(entered, values['@tool'] === true) || !isGiven(entered);
	if (type !== 'boolean' || !isEmpty) return;
	const advice = 'Its expression returns nothing. Make it return true or false.';
	throw new InvalidValue('must be true or false', advice, displayName);
}

/**
 * Throws if a filter that was added
 * - finds nothing by its expression, or has no record chosen: everything would pass
 * - does not apply here
 *
 * An empty text is no filter. In a tool, a filter whose expression finds nothing is none either.
 */
function checkFilter(filter: Parameter, added: IDataObject, values: IDataObject): void {
	const { name, displayName } = filter.property;
	const isTool = values['@tool'] === true;
	const entered = enteredIn(added[name]);
	if (isGiven(entered) && !applies(filter, values)) {
		const [other = ''] = Object.keys(filter.when ?? {});
		const advice = `The parameter '${other}' is ${quote(values[other])}. Remove this filter, or choose a value that has it.`;
		throw new InvalidValue('does not apply here', advice, displayName);
	}
	if (isUnchosen(added[name]) && applies(filter, values)) {
		const advice = `Choose a ${displayName.toLowerCase()} from the list, or remove this filter.`;
		throw new InvalidValue('has no value', advice, displayName);
	}
	if (isTool || !isNothing(entered)) return;
	const advice =
		"Its expression returns nothing, and without the filter, the node would return everything. If you want that, let the expression return an empty text, for example: {{ $json.domain ?? '' }}.";
	throw new InvalidValue('has no value', advice, displayName);
}

/** A resource locator is an object with mode and value. If an expression sets it, it may be just the ID. */
const enteredIn = (raw: unknown) => (isObject(raw) && '__rl' in raw ? raw.value : raw);

const isUnchosen = (raw: unknown) => isObject(raw) && raw.mode === 'list' && !isGiven(raw.value);

/** Whether a model has written one of the words by which models leave a value out. */
const isLeftOut = (entered: unknown, isTool: boolean) =>
	isTool && ['null', 'undefined'].includes(String(entered).trim());

function applies({ when = {} }: Parameter, values: IDataObject): boolean {
	return Object.entries(when).every(([name, allowed]) =>
		[values[name]].flat().some((value) => allowed.some((one) => one === value)),
	);
}

function readParameter(parameter: Parameter, raw: unknown, target: Target): void {
	const entered = enteredIn(raw);
	try {
		const isByUrl = isObject(raw) && raw.mode === 'url' && isGiven(entered);
		if (isByUrl) return target.lookUp?.(parameter, absoluteUrl(entered));
		const value = readValue(parameter, entered, target.values);
		if (value !== undefined) target.put(parameter, value);
		else assumeDefault(parameter, target);
	} catch (error) {
		throw withName(error, parameter.property.displayName, entered);
	}
}

/** Adds the name of the parameter to an InvalidValue without one, and advice if the entered text contains {{ }}. */
function withName(error: unknown, name: string, entered: unknown): unknown {
	if (!(error instanceof InvalidValue) || error.parameter !== undefined) return error;
	const hasBraces = typeof entered === 'string' && entered.includes('{{');
	const braces = "n8n evaluates {{ }} only if 'Expression' is selected above the field.";
	const advice = [error.advice, hasBraces && braces].filter(Boolean).join(' ');
	return new InvalidValue(error.problem, advice || undefined, name);
}

/** @returns the value to use; undefined if an optional parameter was left empty */
function readValue({ property, check }: Parameter, entered: unknown, values: IDataObject): Value {
	const isTool = values['@tool'] === true;
	if (isLeftOut(entered, isTool) || !isGiven(entered)) {
		if (!property.required) return undefined;
		throw new InvalidValue('is required', neededFor(property, isTool ? '' : entered));
	}
	const value = check ? check(entered, values) : byType(property, entered);
	const isEmptyList = Array.isArray(value) && value.length === 0 && property.type !== 'json';
	if (isEmptyList && property.required) {
		throw new InvalidValue('is empty', 'Enter at least one value.');
	}
	return isEmptyList ? undefined : value;
}

function neededFor(property: INodeProperties, entered: unknown): string {
	const { type, placeholder = '' } = property;
	if (isNothing(entered)) return 'Its expression returns nothing. Check its field names.';
	if (type === 'resourceLocator') return 'Choose a record or enter its ID.';
	if (type === 'options') return `Use one of: ${allowedValues(property).join(', ')}.`;
	const example = placeholder.replace(/^e\.g\. /, '');
	return example ? `Enter a value, for example "${example}".` : 'Enter a value.';
}

/** Gives an empty switch, choice, or number its default. The default of a choice or a number is not sent; only the node uses it. */
function assumeDefault(parameter: Parameter, { values, put }: Target): void {
	const { type, name } = parameter.property;
	if (type === 'boolean') put(parameter, parameter.absentDefault);
	if (type === 'options' || type === 'number') values[name] = parameter.absentDefault;
}

function byType(property: INodeProperties, entered: unknown): Value {
	const { minValue = 0, maxValue } = property.typeOptions ?? {};
	switch (property.type) {
		case 'resourceLocator':
			return identifier(entered);
		case 'number':
			return wholeNumber(entered, minValue, maxValue);
		case 'boolean':
			return trueOrFalse(entered);
		case 'options':
			return oneOf(entered, allowedValues(property));
		case 'multiOptions':
			return textList(entered).map((entry) => oneOf(entry, allowedValues(property)));
		default:
			return text(entered);
	}
}

function allowedValues({ options = [] }: INodeProperties): string[] {
	return options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
}
