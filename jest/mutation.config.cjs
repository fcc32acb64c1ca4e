// The unit tests that stand beside the code which npm run mutation mutates, as the one project Stryker wants. Every test file gets
// its own copies of the sources, because Stryker exchanges them between runs.
const { runtime: _shared, ...unit } = require('../jest.config.js').projects.find(
  ({ displayName }) => displayName === 'unit',
);

module.exports = {
  ...unit,
  testEnvironment: 'node',
  roots: ['kernel/access', 'kernel/tokens', 'modules/access', 'modules/tokens'].map((path) => `<rootDir>/src/${path}`),
};
