import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

export type Value = IDataObject[string];

/** When a field applies, and what its value must be. */
interface Rules {
	/** The values of a preceding parameter for which this field applies, such as { type: ['competitors'] }; "@tool" stands for whether the node is an agent's tool */
	when?: Record<string, Array<string | boolean>>;
	/**
	 * Checks and cleans up the value beyond what its type requires.
	 * @param values those of the fields that were read before it
	 * @throws InvalidValue
	 */
	check?: (value: unknown, values: IDataObject) => Value;
}

/** One parameter of an operation: what n8n shows, where its value goes, and when it applies. */
export interface Field extends Rules {
	/** In n8n's form, usually without displayOptions: `drawAt` adds them from the place of the operation and from `when` */
	property: INodeProperties;
	/** Where its value is sent, under the name of the parameter; in the path, as the ID */
	sendIn: 'query' | 'body' | 'path' | 'nothing';
	fields?: Field[];
	/** Its value while the user has not added it to the collection; by default, the value with which it is added */
	unlessAdded?: INodeProperties['default'];
}

/** A parameter in n8n's form, of type text unless it says otherwise. */
type Property = Omit<INodeProperties, 'type' | 'default'> &
	Partial<INodeProperties> &
	Pick<Field, 'unlessAdded'>;

const sentIn =
	(sendIn: Field['sendIn']) =>
	(property: Property, rules: Rules = {}): Field => {
		const { type = 'string', default: added = '', unlessAdded = added, ...others } = property;
		return { property: { ...others, type, default: added }, unlessAdded, sendIn, ...rules };
	};

/** @returns a field whose value is the ID in the path */
export const inPath = sentIn('path');
export const inQuery = sentIn('query');
export const inBody = sentIn('body');
/** @returns a field that the node itself uses */
export const forNode = sentIn('nothing');

/** @returns a collection of optional fields */
export function collection(
	property: Omit<INodeProperties, 'type' | 'default'>,
	fields: Field[],
): Field {
	return { ...forNode({ ...property, type: 'collection', default: {} }), fields };
}

/**
 * The choices of a parameter. The compiler checks that they are exactly the values of the contract.
 * @param texts by value, in the order of the names
 */
export function choices<Value extends string>(
	texts: Record<Value, Omit<INodePropertyOptions, 'value'>>,
): INodePropertyOptions[] {
	const entries = Object.entries<Omit<INodePropertyOptions, 'value'>>(texts);
	return entries.map(([value, text]) => ({ ...text, value }));
}

/**
 * @returns the parameter in n8n's form, shown only in its place, such as { operation: ['create'] }, and only if it
 * applies
 */
export function drawAt(field: Field, place: Record<string, string[]> = {}): INodeProperties {
	const show = { ...place, ...field.when };
	return {
		...field.property,
		...(field.fields && { options: field.fields.map(drawInside) }),
		...(Object.keys(show).length > 0 && { displayOptions: { show } }),
	};
}

/** Inside a collection, a path to a parameter of the node starts with a slash. */
function drawInside({ when = {}, ...field }: Field): INodeProperties {
	const show = Object.entries(when).map(([name, values]) => [`/${name}`, values]);
	return drawAt(field, Object.fromEntries(show));
}
