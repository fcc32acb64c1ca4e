import { tokenIn } from './token-value';

const TOKEN = `ag_prj_${'4fKq9sX'.repeat(7)}`;

describe('a pasted token', () => {
  it('is found in the text around it', () => {
    expect(tokenIn(TOKEN)).toBe(TOKEN);
    expect(tokenIn(`AGATE_TOKEN="${TOKEN}"`)).toBe(TOKEN);
    expect([tokenIn(TOKEN.slice(0, -1)), tokenIn('zKR6')]).toEqual([null, null]);
  });
});
