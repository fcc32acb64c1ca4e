import { COMMON_PASSWORDS } from './common-passwords';

/** In Unicode code points. */
export const PASSWORD_LENGTH = { min: 10, max: 256 };

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
  return COMMON_PASSWORDS.has(password.toLowerCase()) ? 'too_common' : null;
}
