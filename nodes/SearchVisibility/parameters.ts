import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { parameterError, toNodeError } from '../shared/nodeErrors';
import {
	absoluteUrl,
	identifier,
	InvalidValue,
	isGiven,
	isObject,
	oneOf,
	text,
	textList,
	trueOrFalse,
	wholeNumber,
} from '../shared/values';
import { newCall, put } from './call';
import type { Call, Field, Operation } from './operation';

/**
 * Reads and checks the parameters of one input item.
 * @param fields those of the operation, options included
 * @throws NodeOperationError that names the parameter and the item
 */
export function readCall(
	context: IExecuteFunctions,
	operation: Operation,
	fields: Field[],
	itemIndex: number,
): Call {
	const call = newCall(itemIndex);
	let reading = '';
	const readField = (field: Field, given: unknown) => {
		reading = field.property.displayName;
		if (field.fields) {
			const inside = isObject(given) ? given : {};
			for (const inner of field.fields) {
				if (applies(inner, call)) readField(inner, inside[inner.property.name]);
			}
			return;
		}
		if (isObject(given) && given.__rl && given.mode === 'url' && isGiven(given.value)) {
			if (!field.property.modes?.some(({ name }) => name === 'url')) {
				throw new InvalidValue('cannot be chosen by URL', 'Use the ID of the record.');
			}
			call.lookups.push({ field, url: absoluteUrl(given.value) });
			return;
		}
		const value = readValue(field, given);
		if (value !== undefined) put(call, field, value);
		else assumeDefault(call, field);
	};
	try {
		for (const field of fields) {
			if (!applies(field, call)) continue;
			readField(field, context.getNodeParameter(field.property.name, itemIndex, null));
		}
		operation.check?.(call);
		return call;
	} catch (error) {
		if (!(error instanceof InvalidValue)) throw toNodeError(context.getNode(), error, itemIndex);
		throw parameterError(context.getNode(), error, error.parameter ?? reading, itemIndex);
	}
}

function applies({ when = {} }: Field, { values }: Call): boolean {
	return Object.entries(when).every(([name, allowed]) => allowed.includes(values[name] as string));
}

/** @returns the value to use, or undefined where an optional parameter was left empty */
function readValue(field: Field, given: unknown): unknown {
	const { property, check } = field;
	const entered = locatorValue(given);
	if (!isGiven(entered)) {
		if (property.required) throw new InvalidValue('is required', neededFor(property));
		return undefined;
	}
	const value = check ? check(entered) : byType(property, entered);
	const isEmptyList = Array.isArray(value) && value.length === 0 && property.type !== 'json';
	if (isEmptyList && property.required) {
		throw new InvalidValue('is empty', 'Enter at least one value.');
	}
	return isEmptyList ? undefined : value;
}

/** @returns what to give for a required parameter that was left empty */
function neededFor(property: INodeProperties): string {
	const { type, placeholder = '' } = property;
	if (type === 'resourceLocator') return 'Choose a record or enter its ID.';
	if (type === 'options') return `Use one of: ${allowedValues(property).join(', ')}.`;
	const example = placeholder.replace(/^e\.g\. /, '');
	return example ? `Enter a value, for example "${example}".` : 'Enter a value for it.';
}

/** Other fields depend on switches and choices, so these are never undecided; a choice that is left empty is not sent. */
function assumeDefault(call: Call, field: Field): void {
	const { type, name, default: usual } = field.property;
	if (type === 'boolean') put(call, field, usual);
	if (type === 'options') call.values[name] = usual as string;
}

/** A resource locator arrives as an object with the mode and the value, from an expression also as the bare id. */
function locatorValue(given: unknown): unknown {
	return isObject(given) && '__rl' in given ? given.value : given;
}

function byType(property: INodeProperties, value: unknown): unknown {
	switch (property.type) {
		case 'resourceLocator':
			return identifier(value);
		case 'number':
			return wholeNumber(
				value,
				property.typeOptions?.minValue ?? 0,
				property.typeOptions?.maxValue,
			);
		case 'boolean':
			return trueOrFalse(value);
		case 'options':
			return oneOf(value, allowedValues(property));
		case 'multiOptions':
			return textList(value).map((entry) => oneOf(entry, allowedValues(property)));
		case 'fixedCollection':
			return value;
		default:
			return text(value);
	}
}

function allowedValues({ options = [] }: INodeProperties): string[] {
	return options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
}
