import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { BASE_URL_END, isSendable, withoutBearer } from '../nodes/shared/request/pasted';

/** n8n accepts rules on the status and on the body in one list, although its type does not say so. */
type Rules = NonNullable<ICredentialTestRequest['rules']>;

const onStatus = (value: number, message: string) => ({
	type: 'responseCode' as const,
	properties: { value, message },
});

export class SearchVisibilityApi implements ICredentialType {
	name = 'searchVisibilityApi';

	displayName = 'Search Visibility API';

	icon: Icon = {
		light: 'file:../icons/search-visibility.svg',
		dark: 'file:../icons/search-visibility.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-search-visibility/n8n-nodes-search-visibility#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description:
				'Address of the API, without /v1 or anything after it. If the test shows ENOTFOUND or ECONNREFUSED, there is no server at this address: check its spelling.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'API key of one workspace, from the dashboard of the service. Create one credential per workspace.',
		},
		{
			displayName: 'Requests at Once',
			name: 'concurrency',
			type: 'number',
			noDataExpression: true,
			typeOptions: { minValue: 1, maxValue: 20, numberPrecision: 0 },
			default: 20,
			description:
				'Max number of requests that one execution sends at the same time. Lower it if the service refuses too many requests.',
		},
		{
			displayName: 'Timeout',
			name: 'timeout',
			type: 'number',
			noDataExpression: true,
			typeOptions: { minValue: 1, maxValue: 300, numberPrecision: 0 },
			default: 30,
			description: 'Max number of seconds to wait for each response',
		},
		{
			// n8n stores an expression with a leading "=". "&" is n8n's mark for a sibling of the parameter
			displayName: 'Is Fixed',
			name: 'isFixed',
			type: 'hidden',
			description:
				'Whether the credential is the same for all items, because no field is an expression',
			default: '={{ ["&baseUrl", "&apiKey"].every((name) => /^(?!=)/.test($rawParameter[name])) }}',
		},
	];

	/**
	 * Not in n8n's declarative form, whose expressions n8n evaluates for every request: they cost 50 % more CPU time. Must not
	 * read `request.url`, because n8n's HTTP Request node fills `uri` instead.
	 */
	authenticate = async (
		{ apiKey }: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		// Only the test below sets baseURL. Without this check, n8n would show ERR_INVALID_URL
		if (request.baseURL !== undefined && !/^https?:\/\/[^/]/i.test(request.baseURL)) {
			throw new Error(
				"The 'Base URL' must start with https://, for example https://api.example.com.",
			);
		}
		const key = withoutBearer(apiKey);
		if (!isSendable(key)) {
			throw new Error(
				"The 'API Key' contains characters that cannot be sent. Copy the key again from the dashboard of the service.",
			);
		}
		return { ...request, headers: { ...request.headers, Authorization: `Bearer ${key}` } };
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: `={{ $credentials.baseUrl.trim().replace(${BASE_URL_END}, "") }}`,
			url: '/v1/workspace',
			// A redirect could send the key to another host
			disableFollowRedirect: true,
		},
		rules: [
			onStatus(
				401,
				"The service did not accept the API key. Enter a valid API key for your workspace. If it is an expression, select 'Expression' above the field.",
			),
			onStatus(
				403,
				'The API key may not read this workspace. Copy a new key from the dashboard of the service, or ask its support.',
			),
			onStatus(
				404,
				'The service was not found at this Base URL. Check the spelling, and remove endpoint paths such as /v1/workspace.',
			),
			onStatus(
				407,
				'A proxy between n8n and the service requires a login. Ask your n8n administrator to add the user name and password to HTTP_PROXY or HTTPS_PROXY.',
			),
			{
				type: 'responseSuccessBody',
				properties: {
					// The test fails if `key` has this `value`. A workspace has an ID, even if it is null (contract 2.2)
					key: 'id',
					value: undefined,
					message:
						"The response does not come from this service. Check that the 'Base URL' is the address of the API, not of a website or of n8n.",
				},
			},
		] as Rules,
	};
}
