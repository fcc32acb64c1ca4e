import { type AccessDemand, type Refusal } from '#kernel/access/policy';
import { AppError } from '#kernel/errors/app-error';

const NEEDS_DEVELOPER =
  'This route is for developers: send an access JWT from POST /api/v1/login/email, or a personal access token.';

/** The error response for a refusal of the policy. */
export function accessError({ error, requiredRole }: Refusal, { by }: AccessDemand): AppError {
  if (error === 'interactive_login_required' && by.includes('pat'))
    return new AppError(error, { message: NEEDS_DEVELOPER });
  return new AppError(error, requiredRole ? { details: { required_role: requiredRole } } : {});
}
