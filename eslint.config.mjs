import importSort from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';

const size = (files, max) => ({
  files,
  rules: { 'max-lines': ['error', { max, skipBlankLines: true, skipComments: true }] },
});

/** The order of imports: side effects, Node, packages, the rings from the lowest to the highest, then relative ones. No empty lines. */
const IMPORT_ORDER = [
  '^\\u0000',
  '^node:',
  '^@?\\w',
  '^#kernel/',
  '^#infra/',
  '^#modules/',
  '^#read-models/',
  '^#app/',
  '^\\.\\.',
  '^\\.',
];

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      'packages/client/src/generated.ts',
      'data/**',
      'coverage/**',
      'node_modules/**',
      '**/*.cjs',
      '**/*.mjs',
      '**/*.js',
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  { languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } } },
  {
    plugins: { 'simple-import-sort': importSort },
    rules: {
      'simple-import-sort/imports': ['error', { groups: [IMPORT_ORDER] }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
    },
  },
  {
    files: ['src/**/*.ts', 'migrations/**/*.ts'],
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 12],
      'max-depth': ['error', 3],
      'no-restricted-syntax': [
        'error',
        {
          selector: ':matches(FunctionDeclaration, ArrowFunctionExpression)[params.length>5]',
          message: 'At most five parameters.',
        },
        {
          selector: "MethodDefinition[kind!='constructor'] > FunctionExpression[params.length>5]",
          message: 'At most five parameters.',
        },
        {
          selector: "MethodDefinition[kind='constructor'] > FunctionExpression[params.length>9]",
          message: 'At most nine collaborators.',
        },
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Use Clock.now().' },
        {
          selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
          message: 'Use Clock.now().',
        },
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message: 'Read it in infra/config.',
        },
        {
          selector: 'ThrowStatement > NewExpression[callee.name=/(Exception|^Error)$/]',
          message: 'Throw AppError from the catalogue.',
        },
      ],
    },
  },
  {
    files: ['packages/**/*.{ts,tsx}'],
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // Handlers of events may be asynchronous. Their errors reach the mutation or the error boundary.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 12],
      'max-depth': ['error', 3],
      'max-params': ['error', 5],
      'no-restricted-syntax': [
        'error',
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: 'The policy of the page rejects it. Render elements.',
        },
        {
          selector: 'JSXElement > JSXText[value=/[A-Za-z]{2}/]',
          message: 'Take the text from words, in every language.',
        },
        {
          selector: "Property[key.name='queryKey'] > ArrayExpression",
          message: 'Take the key from queries/keys.ts.',
        },
      ],
    },
  },
  { files: ['packages/**/vite.config.ts'], rules: { 'no-restricted-exports': 'off' } },
  {
    // Markup needs lines that are no logic.
    files: ['packages/**/*.tsx'],
    rules: { 'max-lines-per-function': ['error', { max: 90, skipBlankLines: true, skipComments: true }] },
  },
  // The gallery is a page for tests, with sample texts.
  {
    files: ['packages/dashboard/src/gallery/**'],
    rules: { 'no-restricted-syntax': 'off', 'max-lines-per-function': 'off' },
  },
  size(['src/**/*.controller.ts'], 150),
  size(['src/**/*.service.ts'], 300),
  size(['src/**/*.repository.ts'], 300),
  size(['src/**/*.entity.ts'], 150),
  { files: ['src/infra/config/**', 'src/infra/clock/**'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['src/**/*.spec.ts', 'test/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      'no-restricted-syntax': 'off',
      'max-lines': 'off',
      // Tests read response bodies without types.
      '@typescript-eslint/no-unsafe-assignment': 'off',
    },
  },
  { files: ['migrations/**'], rules: { 'max-lines-per-function': 'off' } },
);
