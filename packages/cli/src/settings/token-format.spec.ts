import { isCompleteToken } from './token-format';

describe('A token', () => {
  const TOKEN = 'ag_prj_7Qm2vXcT9LrZ4nKdW1sYbHfGpJ8uEaR3oVtC6iNxMq015AzU9';

  it.each([
    [TOKEN.slice(0, -1), false],
    [`${TOKEN}x`, false],
    ['ag_prj_', false],
    ['', false],
  ])('%s is complete: %s', (token, complete) => {
    expect(isCompleteToken(token)).toBe(complete);
  });
});
