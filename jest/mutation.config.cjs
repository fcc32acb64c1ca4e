// The unit tests that stand beside the code which npm run mutation mutates, as the one project Stryker wants.
const unit = require('../jest.config.js').projects.find(({ displayName }) => displayName === 'unit');

module.exports = {
  ...unit,
  roots: ['kernel/access', 'modules/access', 'modules/tokens'].map((path) => `<rootDir>/src/${path}`),
};
