import { COMMON_PASSWORDS } from './common-passwords';
import { passwordProblem } from './password-policy';

describe('passwordProblem', () => {
  // red when: the list has only the sixty passwords that come to mind
  it.each(['password123', 'Password123', 'mailcreated5240', 'usuckballz1', 'QWERTZUIOP', '1q2w3e4r5t6y'])(
    'rejects the common password %s, in any letter case',
    (password) => expect(passwordProblem(password)).toBe('too_common'),
  );

  it.each(['correct horse battery staple', 'password123 with more words', 'ää'.repeat(5), ' '.repeat(10)])(
    'accepts %j',
    (password) => expect(passwordProblem(password)).toBeNull(),
  );

  it.each([
    ['short', 'too_short'],
    ['x'.repeat(257), 'too_long'],
    ['\ud800 is half a character', 'malformed'],
  ])('rejects %j as %s', (password, problem) => expect(passwordProblem(password)).toBe(problem));
});

describe('COMMON_PASSWORDS', () => {
  it('has thousands of entries, each of which the other rules accept', () => {
    expect(COMMON_PASSWORDS.size).toBeGreaterThanOrEqual(3_000);
    for (const password of COMMON_PASSWORDS) expect(passwordProblem(password)).toBe('too_common');
  });
});
