// The unit tests of the code that `npm run mutation` mutates, as one Jest project, which Stryker requires.
const unit = require('../jest.config.js').projects.find(({ displayName }) => displayName === 'unit');

module.exports = {
  ...unit,
  roots: ['kernel/access', 'modules/access', 'modules/tokens'].map((path) => `<rootDir>/src/${path}`),
};
