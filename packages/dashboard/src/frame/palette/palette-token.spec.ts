import { lastFourOf, searchableText } from './palette-token';

const TOKEN = 'ag_prj_4fKq9sXw2LmN7bTzYp3RzKR6';

describe('a pasted token', () => {
  it('is known by its last four characters', () => {
    expect(lastFourOf(TOKEN)).toBe('zKR6');
    expect(lastFourOf(`AGATE_TOKEN=${TOKEN}`)).toBe('zKR6');
    expect(lastFourOf('zKR6')).toBeNull();
  });

  // red when: the typed text is sent as it is
  it('is never searched for', () => {
    expect(searchableText(TOKEN)).toBe('');
    expect(searchableText(`export AGATE_TOKEN="${TOKEN}"`)).toBe('');
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
