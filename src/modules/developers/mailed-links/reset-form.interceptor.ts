import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Request } from 'express';
import { catchError, type Observable, of } from 'rxjs';
import { AppError } from '#kernel/errors/app-error';
import { passwordProblem } from '#kernel/access/password-policy';
import { isFormPost } from '#infra/http/request/html-form';
import { type HtmlPage } from '#infra/pages/rendering/html-page';
import { messagesOf } from '#infra/pages/messages/locale';
import { developerPages } from './developer-pages';

/** Whoever set a password in our form is told there what was wrong, and may try again; programs get the envelope. */
@Injectable()
export class ResetFormInterceptor implements NestInterceptor {
  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = execution.switchToHttp().getRequest<Request>();
    if (!isFormPost(request)) return next.handle();
    return next.handle().pipe(
      catchError((error: unknown) => {
        const page = pageAbout(error, request);
        if (!page) throw error;
        return of(page);
      }),
    );
  }
}

function pageAbout(error: unknown, request: Request): HtmlPage | null {
  if (!(error instanceof AppError)) return null;
  const words = messagesOf(request);
  if (error.errorCase === 'invalid_input') return developerPages.resetLinkInvalid(words);
  const { token, new_password: password } = request.body as Record<string, unknown>;
  if (error.errorCase !== 'validation_error' || typeof token !== 'string' || typeof password !== 'string') return null;
  const problem = passwordProblem(password);
  return problem === null ? null : developerPages.chooseAnotherPassword(words, token, problem);
}
