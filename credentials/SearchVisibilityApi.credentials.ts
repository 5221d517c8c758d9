import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

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
			description: 'URL of the service, without the path of an endpoint',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'API key of your workspace. Each workspace needs its own credential.',
		},
	];

	/** A function, because n8n shows the words of its errors; from an expression, it would show ERR_INVALID_URL */
	authenticate = async (
		{ apiKey }: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		if (!/^https?:\/\/[^/]/i.test(request.baseURL ?? request.url)) {
			throw new Error(
				'The Base URL is not complete. Enter it with https://, for example https://api.example.com.',
			);
		}
		// Copied from an example of a request, the key often has the word in front
		const key = String(apiKey)
			.trim()
			.replace(/^Bearer(\s+|$)/i, '');
		return { ...request, headers: { ...request.headers, Authorization: `Bearer ${key}` } };
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{$credentials.baseUrl.trim().replace(/(?<=[^:\\/])(\\/+v1)?\\/*$/i, "")}}',
			url: '/v1/workspace',
			// A redirect could send the key to another host
			disableFollowRedirect: true,
		},
		rules: [
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message:
						'The service did not accept the API key. Enter a valid API key for your workspace.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 403,
					message: 'The API key does not have permission to read the workspace',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message:
						'There is no service at this Base URL. Enter its address without the path of an endpoint.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 407,
					message:
						'A proxy between n8n and the service requires a login. Ask the administrator of n8n to put it into HTTP_PROXY or HTTPS_PROXY.',
				},
			},
		],
	};
}
