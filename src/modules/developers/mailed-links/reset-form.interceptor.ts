import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Request } from 'express';
import { catchError, type Observable, of } from 'rxjs';
import { passwordProblem } from '#kernel/access/password-policy';
import { AppError } from '#kernel/errors/app-error';
import { isFormPost } from '#infra/http/request/html-form';
import { messagesOf } from '#infra/pages/messages/locale';
import { type HtmlPage } from '#infra/pages/rendering/html-page';
import { MAX_RESET_TOKEN_LENGTH } from '../dto/developer.requests';
import { accountPages } from './account-pages';

/**
 * Shows the errors of the reset form as a page on which the password can be entered again. Other clients get the JSON error.
 */
@Injectable()
export class ResetFormInterceptor implements NestInterceptor {
  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = execution.switchToHttp().getRequest<Request>();
    if (!isFormPost(request)) return next.handle();
    return next.handle().pipe(
      catchError((error: unknown) => {
        const page = errorPageFor(error, request);
        if (!page) throw error;
        return of(page);
      }),
    );
  }
}

function errorPageFor(error: unknown, request: Request): HtmlPage | null {
  if (!(error instanceof AppError)) return null;
  const messages = messagesOf(request);
  if (error.errorCase === 'invalid_input') return accountPages.resetLinkInvalid(messages);
  const { token, new_password: password, revoke_pats: revokePats } = request.body as Record<string, unknown>;
  if (error.errorCase !== 'validation_error' || typeof token !== 'string' || typeof password !== 'string') return null;
  // The page repeats the token.
  if (token.length > MAX_RESET_TOKEN_LENGTH) return null;
  const problem = passwordProblem(password);
  return problem === null
    ? null
    : accountPages.resetPasswordRejected(messages, { token, revokePats: revokePats === 'true', problem });
}
