// The unit tests of the code that `npm run mutation` mutates, as one Jest project, which Stryker requires. Every test file evaluates its
// own copies of the sources, because Stryker replaces them between runs.
const { runtime: _shared, ...unit } = require('../jest.config.js').projects.find(
  ({ displayName }) => displayName === 'unit',
);

module.exports = {
  ...unit,
  testEnvironment: 'node',
  roots: ['kernel/access', 'modules/access', 'modules/tokens'].map((path) => `<rootDir>/src/${path}`),
};
