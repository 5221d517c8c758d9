import { contract, operationsOf } from '../contract/document.mts';

/**
 * The contract as the sandbox reads it: without anything that it does not name. The contract itself allows further
 * fields in records and bodies, but here, a field that it does not name is a mistake.
 */
export const openapi = structuredClone(contract);
closeObjects(openapi);
for (const [, { responses }] of operationsOf(openapi)) {
	// Anything unexpected is also refused: an unknown parameter, or a body where there should be none
	responses[400] ??= { $ref: '#/components/responses/InvalidRequest' };
}

function closeObjects(part: object): void {
	if ('properties' in part && 'type' in part && part.type === 'object') {
		Object.assign(part, { additionalProperties: false });
	}
	for (const inner of Object.values(part)) {
		if (typeof inner === 'object' && inner !== null) closeObjects(inner as object);
	}
}
