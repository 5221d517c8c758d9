/** In place of the types that n8n-core's own types import and no test needs: reading them takes as long as all the rest. */
declare const untyped: unknown;
export = untyped;
