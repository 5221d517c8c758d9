import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** What n8n accepts as a value. */
export type Value = IDataObject[string];

/** When a field applies, and what its value must be. */
interface Rules {
	/** The values of a preceding parameter for which this field applies, such as { type: ['competitors'] }, or of "@tool" */
	when?: Record<string, Array<string | boolean>>;
	/**
	 * Checks and cleans up the value beyond what its type requires.
	 * @throws InvalidValue
	 */
	check?: (value: unknown) => Value;
	/** Choices of the node that the contract does not have; they are never sent */
	notSent?: string[];
}

/** One parameter of an operation: what n8n shows, where its value goes, and when it applies. */
export interface Field extends Rules {
	/** In n8n's form, but without displayOptions, which are derived from the place of the operation and from `when` */
	property: INodeProperties;
	/** Where its value is sent, under the name of the parameter; in the path, as the ID */
	sendIn: 'query' | 'body' | 'path' | 'nothing';
	/** The fields inside, if this is a collection */
	fields?: Field[];
}

/** @returns a field whose value is the ID in the path */
export const inPath = (property: INodeProperties): Field => ({ property, sendIn: 'path' });

/** @returns a field that is sent in the query */
export function inQuery(property: INodeProperties, rules: Rules = {}): Field {
	return { property, sendIn: 'query', ...rules };
}

/** @returns a field that is sent in the body */
export function inBody(property: INodeProperties, rules: Rules = {}): Field {
	return { property, sendIn: 'body', ...rules };
}

/** @returns a field that the node itself uses */
export function forNode(property: INodeProperties, rules: Rules = {}): Field {
	return { property, sendIn: 'nothing', ...rules };
}

/** @returns a collection of optional fields */
export function collection(
	property: Omit<INodeProperties, 'type' | 'default'>,
	fields: Field[],
): Field {
	return { property: { ...property, type: 'collection', default: {} }, sendIn: 'nothing', fields };
}

/**
 * Compares two names. `localeCompare` would first load the rules of a language, which takes a quarter of the time that
 * n8n needs to load this package.
 */
export function alphabetically(a: string, b: string): number {
	return a.toLowerCase() < b.toLowerCase() ? -1 : 1;
}

/**
 * The choices of a parameter. The compiler checks that they are exactly the values of the contract.
 * @param texts by value, in the order of the names
 */
export function choices<Value extends string>(
	texts: Record<Value, { name: string; description?: string }>,
): INodePropertyOptions[] {
	return Object.entries<{ name: string; description?: string }>(texts).map(
		([value, { name, description }]) => ({ name, value, ...(description && { description }) }),
	);
}

/**
 * @returns the parameter in n8n's form, shown only in its place, such as { operation: ['create'] }, and only if it
 * applies
 */
export function drawAt(field: Field, place: Record<string, string[]> = {}): INodeProperties {
	const show = { ...place, ...field.when };
	return Object.keys(show).length > 0 ? { ...draw(field), displayOptions: { show } } : draw(field);
}

function draw({ property, fields }: Field): INodeProperties {
	return fields ? { ...property, options: fields.map(drawInside) } : property;
}

/** Inside a collection, a path to a parameter of the node starts with a slash. */
function drawInside(field: Field): INodeProperties {
	if (!field.when) return draw(field);
	const show = Object.entries(field.when).map(([name, values]) => [`/${name}`, values]);
	return { ...draw(field), displayOptions: { show: Object.fromEntries(show) } };
}
