import { COMMON_PASSWORDS } from './common-passwords';
import { PASSWORD_PROBLEMS, passwordProblem } from './password-policy';

describe('passwordProblem', () => {
  // red when: the list has only the sixty passwords that come to mind
  it.each(['password123', 'Password123', 'mailcreated5240', 'usuckballz1', 'QWERTZUIOP', '1q2w3e4r5t6y'])(
    'rejects the common password %s, in any letter case',
    (password) => expect(passwordProblem(password)).toBe('too_common'),
  );

  it.each([
    'correct horse battery staple',
    'password123 with more words',
    'ää'.repeat(5),
    ' '.repeat(10),
    '🔑'.repeat(256),
  ])('accepts %j', (password) => expect(passwordProblem(password)).toBeNull());

  it.each([
    ['short', 'too_short'],
    ['nine long', 'too_short'],
    ['x'.repeat(257), 'too_long'],
    ['\ud800 is half a character', 'malformed'],
  ])('rejects %j as %s', (password, problem) => expect(passwordProblem(password)).toBe(problem));

  it('has a message for each problem', () =>
    expect(PASSWORD_PROBLEMS).toEqual({
      malformed: 'must be well-formed text',
      too_short: 'must have 10 characters or more',
      too_long: 'must have 256 characters or fewer',
      too_common: 'is one of the most common passwords; choose another',
    }));
});

describe('COMMON_PASSWORDS', () => {
  it('has thousands of entries, each of which the other rules accept', () => {
    expect(COMMON_PASSWORDS.size).toBeGreaterThanOrEqual(3_000);
    for (const password of COMMON_PASSWORDS) expect(passwordProblem(password)).toBe('too_common');
  });
});
