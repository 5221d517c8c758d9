import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

export type Value = IDataObject[string];

interface Rules {
	/** The values of earlier parameters for which the field applies: { type: ['competitors'] }, or { '@tool': [true] } in a tool */
	when?: Record<string, Array<string | boolean>>;
	/**
	 * Replaces the usual check of the type.
	 * @param values the values of the fields before this one
	 * @returns the value to use
	 * @throws InvalidValue
	 */
	check?: (value: unknown, values: IDataObject) => Value;
}

/** One parameter: what n8n shows, where the value goes, and when the field applies. */
export interface Field extends Rules {
	/** Usually without displayOptions, which `toProperty` adds */
	property: INodeProperties;
	/** Where the value is sent, under the name of the parameter; in the path, as the ID */
	sendIn: 'query' | 'body' | 'path' | 'nodeOnly';
	fields?: Field[];
	/** The value while the field is not in its collection, or empty; by default, `property.default` */
	absentDefault?: INodeProperties['default'];
}

type Property = Omit<INodeProperties, 'type' | 'default'> &
	Partial<INodeProperties> &
	Pick<Field, 'absentDefault'>;

const sentIn =
	(sendIn: Field['sendIn']) =>
	(property: Property, rules: Rules = {}): Field => {
		const { type = 'string', default: initial = '', absentDefault = initial, ...others } = property;
		return { property: { ...others, type, default: initial }, absentDefault, sendIn, ...rules };
	};

export const inPath = sentIn('path');
export const inQuery = sentIn('query');
export const inBody = sentIn('body');
/** @returns a field that the node itself uses; it is not sent */
export const forNode = sentIn('nodeOnly');

export function collection(
	property: Omit<INodeProperties, 'type' | 'default'>,
	fields: Field[],
): Field {
	return { ...forNode({ ...property, type: 'collection', default: {} }), fields };
}

/**
 * The choices of a parameter. With a type of the contract as `Value`, the compiler checks that they are exactly its values.
 * @param texts by value, sorted by name
 */
export function optionsByValue<Value extends string>(
	texts: Record<Value, Omit<INodePropertyOptions, 'value'>>,
): INodePropertyOptions[] {
	const entries = Object.entries<Omit<INodePropertyOptions, 'value'>>(texts);
	return entries.map(([value, text]) => ({ ...text, value }));
}

/**
 * @param show values of other parameters at which this one appears, such as { operation: ['create'] }
 * @returns the parameter for n8n, which shows it only there, and only if the field applies
 */
export function toProperty(field: Field, show: Record<string, string[]> = {}): INodeProperties {
	const showIf = { ...show, ...field.when };
	return {
		...field.property,
		...(field.fields && { options: field.fields.map(toInnerProperty) }),
		...(Object.keys(showIf).length > 0 && { displayOptions: { show: showIf } }),
	};
}

/** Inside a collection, a path to a parameter of the node starts with a slash. */
function toInnerProperty({ when = {}, ...field }: Field): INodeProperties {
	const show = Object.entries(when).map(([name, values]) => [`/${name}`, values]);
	return toProperty(field, Object.fromEntries(show));
}
