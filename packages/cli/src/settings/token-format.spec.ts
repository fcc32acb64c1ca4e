import { isCompleteToken } from './token-format';

describe('A token', () => {
  const TOKEN = 'ag_prj_7Qm2vXcT9LrZ4nKdW1sYbHfGpJ8uEaR3oVtC6iNxMq04GOUaL';

  it.each([
    [TOKEN, true],
    [TOKEN.slice(0, -1), false],
    [TOKEN.replace('7Qm', '7Qn'), false],
    [`${TOKEN}x`, false],
    ['ag_prj_', false],
    ['', false],
  ])('%s is complete: %s', (token, complete) => {
    expect(isCompleteToken(token)).toBe(complete);
  });
});
