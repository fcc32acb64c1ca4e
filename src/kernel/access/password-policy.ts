/** In Unicode code points. */
export const PASSWORD_LENGTH = { min: 10, max: 256 };

/** The most common passwords of at least ten characters, in lower case. An attacker tries them first. */
const COMMON = new Set(
  `1234567890 12345678910 123456789a 0123456789 0987654321 1111111111 1q2w3e4r5t 1qaz2wsx3edc qwertyuiop qwerty1234 qwerty12345
  qwerty123456 q1w2e3r4t5 password12 password123 password1234 password12345 passwordpassword passw0rd123 p@ssw0rd123 letmein123
  letmein1234 welcome123 welcome1234 iloveyou12 iloveyou123 administrator admin12345 admin123456 changeme123 sunshine123
  football123 baseball123 superman123 princess123 abcdefghij abcdefghijk abc1234567 abcd123456 asdfghjkl1 asdfghjkl; zaq12wsxcde
  trustno1trustno1 dragon1234 monkey1234 master1234 michael123 jennifer123 secret1234 test123456 testtest12 qazwsxedcr
  aaaaaaaaaa 9876543210 1231231234 1212121212 0000000000 9999999999 123123123123 987654321a qwertyqwerty`
    .split(/\s+/)
    .filter(Boolean),
);

/** Why a password is rejected, with the message of the API. Any other well-formed Unicode text is accepted. */
export const PASSWORD_PROBLEMS = {
  malformed: 'must be well-formed text',
  too_short: `must have ${PASSWORD_LENGTH.min} characters or more`,
  too_long: `must have ${PASSWORD_LENGTH.max} characters or fewer`,
  too_common: 'is one of the most common passwords; choose another',
};
export type PasswordProblem = keyof typeof PASSWORD_PROBLEMS;

/** Returns null when the password is accepted. */
export function passwordProblem(password: string): PasswordProblem | null {
  if (!password.isWellFormed()) return 'malformed';
  const length = [...password].length;
  if (length < PASSWORD_LENGTH.min) return 'too_short';
  if (length > PASSWORD_LENGTH.max) return 'too_long';
  return COMMON.has(password.toLowerCase()) ? 'too_common' : null;
}
