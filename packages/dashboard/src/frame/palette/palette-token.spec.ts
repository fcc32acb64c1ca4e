import { isSecret, searchableText } from './palette-token';

const TOKEN = `ag_prj_${'4fKq9sX'.repeat(7)}`;

describe('a pasted token', () => {
  // red when: the typed text is sent as it is
  it.each([TOKEN, `export AGATE_TOKEN="${TOKEN}"`, TOKEN.slice(0, 20)])('is never searched for: %s', (text) => {
    expect([isSecret(text), searchableText(text)]).toEqual([true, '']);
  });
});

describe('the text to search for', () => {
  it.each([
    ['commit a7b36b0', 'a7b36b0'],
    [' Rocket ', 'Rocket'],
    ['commit', 'commit'],
    ['commitment issue', 'commitment issue'],
  ])('of %j is %j', (query, text) => expect(searchableText(query)).toBe(text));
});
