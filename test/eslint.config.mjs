import tseslint from 'typescript-eslint';

/** For the tests: n8n's rules are for nodes, and its strict mode wants eslint.config.mjs unchanged. */
export default tseslint.config({
	files: ['**/*.mts'],
	extends: [tseslint.configs.base],
	languageOptions: {
		parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
	},
	rules: { '@typescript-eslint/no-floating-promises': 'error' },
});
