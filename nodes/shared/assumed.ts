import type { IDataObject } from 'n8n-workflow';

/** What the contract does not show. These guesses are marked with `x-assumed` in contract/openapi.yaml. */

/** The body of POST /v1/keywords (4.2). */
export const keywordsBody = ({ keywords }: { keywords: string[] }): IDataObject => ({ keywords });

/** The body of POST /v1/competitors (4.3). */
export const competitorBody = ({ domain }: { domain: string }): IDataObject => ({ domain });

/** The body of PATCH /v1/backlinks/{id}/update (4.6). */
export const backlinkBody = ({ status }: { status: string }): IDataObject => ({ status });

/** The path and the body of the request that checks the index status of a page (4.10). */
export const inspectPath = '/v1/gsc/inspect';
export const inspectBody = ({ url }: { url: string }): IDataObject => ({ url });

/** The query parameters that sort cited pages (4.8). */
export const citedPageOrder = ({ sortBy, sortOrder }: IDataObject): IDataObject => ({
	sortBy,
	sortOrder,
});
