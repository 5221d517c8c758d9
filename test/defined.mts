/**
 * @returns the value
 * @throws if there is none
 */
export function defined<T>(value: T): NonNullable<T> {
	if (value === undefined || value === null) throw new Error('There is no such value');
	return value;
}

/**
 * @returns the item at an index of the list, counted from the end if negative
 * @throws if the list has no such item
 */
export function itemAt<T>(list: ArrayLike<T>, index: number): T {
	const place = index < 0 ? list.length + index : index;
	if (!(place in Object(list))) throw new Error(`No item ${index} in a list of ${list.length}`);
	return list[place] as T;
}

type Tuple<T, Count extends number, Found extends T[] = []> = Found['length'] extends Count
	? Found
	: Tuple<T, Count, [...Found, T]>;

/**
 * @returns the first `count` items of the list
 * @throws if it has fewer
 */
export function firstOf<T, Count extends number>(list: ArrayLike<T>, count: Count) {
	return Array.from({ length: count }, (_, n) => itemAt(list, n)) as Tuple<T, Count>;
}
