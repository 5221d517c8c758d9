/** One way to run n8n. */
export interface Variant {
	name: string;
	/** Version of n8n, by default the one of all other tests. It must be in test/servers/releases.mts. */
	version?: string;
	/** Additions to n8n's environment; `apiKey` is the service's key. */
	env: (apiKey: string) => Record<string, string>;
	/** What n8n tells the editor about it. */
	shows?: (port: string) => object;
	/** Whether there is a Redis with a password, a PostgreSQL 17, and a worker that runs executions. */
	hasQueue?: boolean;
	/** What evaluates expressions. */
	engine: 'vm' | 'legacy';
	/** Whether a Code node comes first, which needs a task runner. */
	hasCode?: boolean;
	/** The path under which a reverse proxy serves n8n. */
	path?: string;
	/** What the credential contains instead of the key. */
	keyEntered?: string;
	/** Whether n8n removes all executions except the newest. */
	isPruned?: boolean;
}

export const VARIANTS: Variant[] = [
	{
		name: 'PostgreSQL 17; queue mode, with a Redis that asks for a password',
		engine: 'vm',
		env: () => ({ EXECUTIONS_MODE: 'queue' }),
		shows: () => ({ databaseType: 'postgresdb', executionMode: 'queue' }),
		hasQueue: true,
		hasCode: true,
	},
	{
		name: 'Legacy expression engine; no task runner; key from an expression',
		engine: 'legacy',
		env: (apiKey) => ({
			N8N_EXPRESSION_ENGINE: 'legacy',
			// Something else would have to start the runners, so there are none
			N8N_RUNNERS_MODE: 'external',
			N8N_RUNNERS_AUTH_TOKEN: 'nobody-uses-it',
			N8N_BLOCK_ENV_ACCESS_IN_NODE: 'false',
			KEY_OF_THE_SERVICE: apiKey,
		}),
		keyEntered: '={{ $env.KEY_OF_THE_SERVICE }}',
	},
	{
		name: 'VM expression engine; task runner; executions pruned',
		engine: 'vm',
		env: () => ({
			N8N_EXPRESSION_ENGINE: 'vm',
			N8N_RUNNERS_MODE: 'internal',
			EXECUTIONS_DATA_PRUNE: 'true',
			EXECUTIONS_DATA_PRUNE_MAX_COUNT: '1',
			// Minutes
			EXECUTIONS_DATA_PRUNE_SOFT_DELETE_INTERVAL: '1',
			EXECUTIONS_DATA_PRUNE_HARD_DELETE_INTERVAL: '1',
			// Hours
			EXECUTIONS_DATA_HARD_DELETE_BUFFER: '0',
		}),
		shows: () => ({ pruning: { isEnabled: true, maxCount: 1 } }),
		hasCode: true,
		isPruned: true,
	},
	{
		name: 'HTTPS and a path, behind a reverse proxy; key from a credential overwrite',
		engine: 'vm',
		env: (apiKey) => ({
			N8N_PROTOCOL: 'https',
			N8N_HOST: 'n8n.example',
			N8N_PATH: '/automation/',
			N8N_PROXY_HOPS: '1',
			CREDENTIALS_OVERWRITE_DATA: JSON.stringify({ searchVisibilityApi: { apiKey } }),
		}),
		shows: (port) => ({ urlBaseEditor: `https://n8n.example:${port}/automation` }),
		path: '/automation',
		keyEntered: '',
	},
	{
		name: 'Task runner in an older version',
		engine: 'legacy',
		version: '1.123.81',
		env: () => ({ N8N_RUNNERS_ENABLED: 'true' }),
		hasCode: true,
	},
];
