// The sabotage that login-timing.mjs must notice: an unknown e-mail costs no hash. Loaded before the service.
const { PasswordHasher } = require('../dist/src/infra/crypto/password-hasher.js');

const { matches } = PasswordHasher.prototype;
PasswordHasher.prototype.matches = function (password, hash) {
  return hash === null ? Promise.resolve(false) : matches.call(this, password, hash);
};
