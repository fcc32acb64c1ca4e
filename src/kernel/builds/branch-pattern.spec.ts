import { matchesBranch } from './branch-pattern';

describe('matchesBranch', () => {
  it.each([
    ['main', 'main', true],
    ['main', 'mainline', false],
    ['release/*', 'release/1.0', true],
    ['release/*', 'release/', true],
    ['release/*', 'release/1.0/fix', false],
    ['release/**', 'release/1.0/fix', true],
    ['*', 'feature/a', false],
    ['**', 'feature/a', true],
    ['v?.0', 'v1.0', true],
    ['v?.0', 'v/.0', false],
    ['*-rc*', 'v1-rc2', true],
    ['a.b', 'axb', false],
    ['', '', true],
  ])('%s and %s: %s', (pattern, branch, matches) => expect(matchesBranch(pattern, branch)).toBe(matches));

  // red when: the pattern becomes a regular expression that backtracks
  it('takes bounded work for a pattern of many stars', () => {
    expect(matchesBranch('*a'.repeat(50), 'a'.repeat(49) + 'b'.repeat(200))).toBe(false);
  });
});
