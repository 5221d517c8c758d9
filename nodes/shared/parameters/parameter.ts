import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

export type Value = IDataObject[string];

interface Rules {
	/** The values of earlier parameters for which the parameter applies: { type: ['competitors'] }, or { '@tool': [true] } in a tool */
	when?: Record<string, Array<string | boolean>>;
	/**
	 * Replaces the usual check of the type.
	 * @param entered what the user or an expression has entered
	 * @param values the values of the parameters before this one
	 * @returns the value to use
	 * @throws InvalidValue
	 */
	check?: (entered: unknown, values: IDataObject) => Value;
}

/** One parameter: what n8n shows, where the value goes, and when it applies. */
export interface Parameter extends Rules {
	/** Usually without displayOptions, which `toProperty` adds */
	property: INodeProperties;
	/** Where the value is sent, under the name of the parameter; in the path, as the ID */
	sendIn: 'query' | 'body' | 'path' | 'nodeOnly';
	parameters?: Parameter[];
	/**
	 * What a switch, a choice or a number is while it is not in its collection, or empty; by default, `property.default`. A text or
	 * a list has no value then
	 */
	absentDefault?: INodeProperties['default'];
}

type Property = Omit<INodeProperties, 'type' | 'default'> &
	Partial<INodeProperties> &
	Pick<Parameter, 'absentDefault'>;

const sentIn =
	(sendIn: Parameter['sendIn']) =>
	(property: Property, rules: Rules = {}): Parameter => {
		const { type = 'string', default: initial = '', absentDefault = initial, ...others } = property;
		return { property: { ...others, type, default: initial }, absentDefault, sendIn, ...rules };
	};

export const inPath = sentIn('path');
export const inQuery = sentIn('query');
export const inBody = sentIn('body');
/** @returns a parameter that the node itself uses; it is not sent */
export const forNode = sentIn('nodeOnly');

export function collection(
	property: Omit<INodeProperties, 'type' | 'default'>,
	parameters: Parameter[],
): Parameter {
	return { ...forNode({ ...property, type: 'collection', default: {} }), parameters };
}

/**
 * The choices of a parameter. With a type of the contract as `Choice`, the compiler checks that they are exactly its values.
 * @param texts by value, sorted by name
 */
export function optionsByValue<Choice extends string>(
	texts: Record<Choice, Omit<INodePropertyOptions, 'value'>>,
): INodePropertyOptions[] {
	const entries = Object.entries<Omit<INodePropertyOptions, 'value'>>(texts);
	return entries.map(([value, text]) => ({ ...text, value }));
}

/**
 * @param show values of other parameters at which this one appears, such as { operation: ['create'] }
 * @returns the parameter for n8n, which shows it only there, and only if it applies
 */
export function toProperty(
	parameter: Parameter,
	show: Record<string, string[]> = {},
): INodeProperties {
	const showIf = { ...show, ...parameter.when };
	return {
		...parameter.property,
		...(parameter.parameters && { options: parameter.parameters.map(toInnerProperty) }),
		...(Object.keys(showIf).length > 0 && { displayOptions: { show: showIf } }),
	};
}

/** Inside a collection, a path to a parameter of the node starts with a slash. */
function toInnerProperty({ when = {}, ...parameter }: Parameter): INodeProperties {
	const show = Object.entries(when).map(([name, values]) => [`/${name}`, values]);
	return toProperty(parameter, Object.fromEntries(show));
}
