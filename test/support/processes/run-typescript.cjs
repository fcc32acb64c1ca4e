// Lets a child process of a test run the TypeScript sources without a build: `node --require <this file> script.ts`.
require('../../../jest/load-typescript.cjs');
