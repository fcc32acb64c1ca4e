import { Body, Controller, Get, Post, Query, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { LinkQuery } from '#infra/http/dto/link-query';
import { Ctx } from '#infra/http/request/context';
import { AcceptsForm, IsFormPost } from '#infra/http/request/html-form';
import { ApiHtmlPage, ApiNoContent, Errors } from '#infra/http/response/api-responses';
import { Translations } from '#infra/pages/messages/locale';
import { type Messages } from '#infra/pages/messages/messages';
import { type HtmlPage } from '#infra/pages/rendering/html-page';
import { Limit } from '#infra/rate-limit/limits';
import { EmailRequest, ResetPasswordRequest } from '../dto/developer.requests';
import { accountPages } from './account-pages';
import { DeveloperLinksService } from './developer-links.service';
import { ResetFormInterceptor } from './reset-form.interceptor';
import { PASSWORD_RESET_DOCS } from './password-reset.docs';

/** Sets a new password by a mailed link. Opening the link shows a form; only the POST of the form uses the token. */
@ApiTags('Developer account')
@Describe(PASSWORD_RESET_DOCS)
@Controller('developers')
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
    @IsFormPost() fromForm: boolean,
    @Translations() messages: Messages,
  ): Promise<HtmlPage | undefined> {
    await this.links.request(ctx, body.email, 'reset_password');
    return fromForm ? accountPages.resetLinkSent(messages) : undefined;
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
    @IsFormPost() fromForm: boolean,
    @Translations() messages: Messages,
  ): Promise<HtmlPage | undefined> {
    const { token, new_password: newPassword, revoke_pats: revokePats } = body;
    await this.links.resetPassword(ctx, { token, newPassword, revokePats });
    return fromForm ? accountPages.passwordSet(messages) : undefined;
  }
}
