import { type AccessDemand, type Refusal } from '#kernel/access/policy';
import { AppError } from '#kernel/errors/app-error';

const WANTS_DEVELOPER =
  'This route is for developers: send an access JWT from POST /api/v1/login/email, or a personal access token.';

/** A refusal of the policy as it is told. */
export function refused({ error, requiredRole }: Refusal, { by }: AccessDemand): AppError {
  if (error === 'interactive_login_required' && by.includes('pat'))
    return new AppError(error, { message: WANTS_DEVELOPER });
  return new AppError(error, requiredRole ? { details: { required_role: requiredRole } } : {});
}
