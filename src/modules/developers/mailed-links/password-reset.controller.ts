import {
  Body,
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  type NestInterceptor,
  Post,
  Query,
  UseInterceptors,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { catchError, type Observable, of } from 'rxjs';
import { passwordProblem } from '#kernel/access/password-policy';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { LinkQuery } from '#infra/http/dto/link-query';
import { Ctx } from '#infra/http/request/context';
import { AcceptsForm, isFormPost } from '#infra/http/request/html-form';
import { ApiHtmlPage, ApiNoContent, Errors } from '#infra/http/response/api-responses';
import { FormTexts, messagesOf, Translations } from '#infra/pages/messages/locale';
import { type Messages } from '#infra/pages/messages/messages';
import { type HtmlPage } from '#infra/pages/rendering/html-page';
import { PageInterceptor } from '#infra/pages/rendering/page.interceptor';
import { Limit } from '#infra/rate-limit/limits';
import { PASSWORD_RESET_DOCS } from '../developers.docs';
import { EmailRequest, MAX_RESET_TOKEN_LENGTH, ResetPasswordRequest } from '../developers.dto';
import { accountPages } from './account-pages';
import { DeveloperLinksService } from './developer-links.service';

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

/** Sets a new password by a mailed link. Opening the link shows a form; only the POST of the form uses the token. */
@ApiTags('Developer account')
@Describe(PASSWORD_RESET_DOCS)
@Controller('developers')
@UseInterceptors(PageInterceptor)
export class PasswordResetController {
  constructor(private readonly links: DeveloperLinksService) {}

  @Post('reset_password_request')
  @Access({ public: true })
  @Limit('mail')
  @AcceptsForm()
  @ApiNoContent(
    'Request a mail with a link that sets a new password; the response is the same whether or not the address has an account',
  )
  async request(
    @Ctx() ctx: RequestContext,
    @Body() body: EmailRequest,
    @FormTexts() texts: Messages | undefined,
  ): Promise<HtmlPage | undefined> {
    await this.links.request(ctx, body.email, 'reset_password');
    return texts && accountPages.resetLinkSent(texts);
  }

  @Get('reset_password')
  @Access({ public: true })
  @Limit('page')
  @Errors('invalid_input')
  @ApiHtmlPage('Open the form for a new password; does not use the token')
  async open(
    @Ctx() ctx: RequestContext,
    @Query() query: LinkQuery,
    @Translations() messages: Messages,
  ): Promise<HtmlPage> {
    if (query.token === '') return accountPages.forgottenPassword(messages);
    if (await this.links.canReset(ctx, query.token)) return accountPages.resetPassword(messages, query.token);
    return accountPages.resetLinkInvalid(messages);
  }

  @Post('reset_password')
  @Access({ public: true })
  @Limit('mail')
  @Errors('invalid_input')
  @AcceptsForm()
  @ApiNoContent('Set a new password with a mailed token; all sessions end')
  @UseInterceptors(ResetFormInterceptor)
  async reset(
    @Ctx() ctx: RequestContext,
    @Body() body: ResetPasswordRequest,
    @FormTexts() texts: Messages | undefined,
  ): Promise<HtmlPage | undefined> {
    const { token, new_password: newPassword, revoke_pats: revokePats } = body;
    await this.links.resetPassword(ctx, { token, newPassword, revokePats });
    return texts && accountPages.passwordSet(texts);
  }
}
