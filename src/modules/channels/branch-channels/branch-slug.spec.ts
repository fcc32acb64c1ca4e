import { channelNamesOf } from './branch-slug';

const firstOf = (branch: string): string => channelNamesOf('branch-{slug}', branch)[0];

describe('the name of the channel of a branch', () => {
  it.each([
    ['feature/login', 'branch-feature-login'],
    ['Feature/LOGIN_2', 'branch-feature-login-2'],
    ['feature/Überblick', 'branch-feature-uberblick'],
    ['--feature//x--', 'branch-feature-x'],
    ["$&$`$'$1", 'branch-1'],
    ['../../etc/passwd', 'branch-etc-passwd'],
    ['<script>alert(1)</script>', 'branch-script-alert-1-script'],
    ['{slug}', 'branch-slug'],
    ['a'.repeat(255), `branch-${'a'.repeat(40)}`],
    [`${'a'.repeat(39)}/b`, `branch-${'a'.repeat(39)}`],
  ])('of %p is %s', (branch, name) => expect(firstOf(branch)).toBe(name));

  // red when: the name of a branch without Latin letters is only the prefix
  it.each(['日本語', '🎉', '///', '\u202e'])('of %p has a digest in place of letters', (branch) => {
    expect(firstOf(branch)).toMatch(/^branch-[0-9a-f]{7}$/);
  });

  // red when: the second name is made of the slug alone
  it('has a second form that differs between branches with the same letters', () => {
    const [first, second] = ['feature/a-b', 'feature/a/b'].map((branch) => channelNamesOf('branch-{slug}', branch));
    expect(first![0]).toBe(second![0]);
    expect(first![1]).toMatch(/^branch-feature-a-b-[0-9a-f]{7}$/);
    expect(first![1]).not.toBe(second![1]);
  });

  it('is at most 100 characters long with the longest template', () => {
    for (const name of channelNamesOf(`${'x'.repeat(44)}{slug}`, 'a'.repeat(255)))
      expect(name.length).toBeLessThan(101);
  });
});
