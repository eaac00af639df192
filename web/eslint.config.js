// The lint rules of the web apps: the recommended sets, a few that need types, and the style of the sources.
import js from '@eslint/js';
import stylistic from '@stylistic/eslint-plugin';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import { defineConfig } from 'eslint/config';
import ts from 'typescript-eslint';

const style = {
	'@stylistic/arrow-parens': ['error', 'always'],
	'@stylistic/brace-style': ['error', '1tbs', { allowSingleLine: true }],
	'@stylistic/comma-dangle': ['error', 'never'],
	'@stylistic/comma-spacing': 'error',
	'@stylistic/eol-last': 'error',
	'@stylistic/key-spacing': 'error',
	'@stylistic/keyword-spacing': 'error',
	'@stylistic/member-delimiter-style': ['error', { singleline: { delimiter: 'semi' }, multiline: { delimiter: 'semi' } }],
	'@stylistic/no-mixed-spaces-and-tabs': ['error', 'smart-tabs'],
	'@stylistic/no-multi-spaces': ['error', { ignoreEOLComments: true }],
	'@stylistic/no-multiple-empty-lines': ['error', { max: 1, maxBOF: 0, maxEOF: 0 }],
	'@stylistic/no-trailing-spaces': 'error',
	'@stylistic/quotes': ['error', 'single', { avoidEscape: true }],
	'@stylistic/semi': ['error', 'always'],
	'@stylistic/space-before-blocks': 'error',
	'@stylistic/space-infix-ops': 'error',
	'@stylistic/type-annotation-spacing': 'error'
};

const typed = {
	'@typescript-eslint/await-thenable': 'error',
	'@typescript-eslint/no-floating-promises': 'error',
	'@typescript-eslint/no-misused-promises': 'error',
	'@typescript-eslint/no-for-in-array': 'error',
	'@typescript-eslint/no-unnecessary-type-assertion': 'error',
	'@typescript-eslint/only-throw-error': 'error',
	'@typescript-eslint/prefer-promise-reject-errors': 'error',
	'@typescript-eslint/restrict-plus-operands': 'error',
	'@typescript-eslint/unbound-method': 'error'
};

// Rules of the recommended sets that do not fit these sources.
const unfit = {
	'no-undef': 'off', // the compiler finds undefined names
	'svelte/no-navigation-without-resolve': 'off', // lib/links.ts resolves addresses
	'svelte/no-useless-mustaches': 'off', // Svelte trims the space at the start of a block, {' '} keeps it
	'svelte/prefer-svelte-reactivity': 'off' // sets and maps are replaced, not changed
};

const project = ['console/tsconfig.json', 'driver/tsconfig.json', 'tsconfig.lint.json'];

export default defineConfig(
	{ ignores: ['**/*.gen.*', '**/dist/', '**/.svelte-kit/', '**/static/'] },
	{ linterOptions: { reportUnusedDisableDirectives: 'error' } },
	js.configs.recommended,
	ts.configs.recommended,
	svelte.configs.recommended,
	{
		plugins: { '@stylistic': stylistic },
		languageOptions: { globals: globals.node },
		rules: { ...style, '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }] }
	},
	{ files: ['tests/**'], languageOptions: { globals: globals.browser } },
	{
		files: ['**/*.svelte', '**/*.svelte.ts'],
		languageOptions: { parserOptions: { parser: ts.parser } }
	},
	{ files: ['**/*.ts', '**/*.svelte'], rules: unfit },
	// Only scripts are linted with types: with components, a run takes minutes.
	{
		files: ['**/*.ts'],
		languageOptions: { parserOptions: { project, tsconfigRootDir: import.meta.dirname } },
		rules: typed
	}
);
