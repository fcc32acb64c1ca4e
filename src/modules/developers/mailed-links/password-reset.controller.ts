import { Body, Controller, Get, Post, Query, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { CaptchaProtected, CaptchaService } from '#modules/captcha';
import { ApiHtmlPage, ApiNoContent, Errors } from '#infra/http/response/api-responses';
import { Ctx } from '#infra/http/request/context';
import { AcceptsForm, IsFormPost } from '#infra/http/request/html-form';
import { LinkQuery } from '#infra/http/dto/link-query';
import { type HtmlPage } from '#infra/pages/rendering/html-page';
import { Translations } from '#infra/pages/messages/locale';
import { type Messages } from '#infra/pages/messages/messages';
import { Limit } from '#infra/rate-limit/limits';
import { Access } from '#infra/http/access';
import { DeveloperLinksService } from './developer-links.service';
import { developerPages } from './developer-pages';
import { EmailRequest, ResetPasswordRequest } from '../dto/developer.requests';
import { ResetFormInterceptor } from './reset-form.interceptor';

/** The reset link of the mail. Opening it shows a form; only the form's POST spends the token. */
@ApiTags('Developer account')
@Controller('developers')
export class PasswordResetController {
  constructor(
    private readonly links: DeveloperLinksService,
    private readonly captcha: CaptchaService,
  ) {}

  @Post('reset_password_request')
  @Access({ public: true })
  @Limit('mail')
  @CaptchaProtected()
  @AcceptsForm()
  @ApiNoContent(
    'Ask for a mail that lets you choose a new password; the same answer whether or not the e-mail is known',
  )
  async request(
    @Ctx() ctx: RequestContext,
    @Body() body: EmailRequest,
    @IsFormPost() fromForm: boolean,
    @Translations() words: Messages,
  ): Promise<HtmlPage | undefined> {
    await this.links.request(ctx, body.email, 'reset_password');
    return fromForm ? developerPages.resetLinkSent(words) : undefined;
  }

  @Get('reset_password')
  @Access({ public: true })
  @Limit('page')
  @Errors('invalid_input')
  @ApiHtmlPage('Open the form for a new password; the token stays good')
  async open(
    @Ctx() ctx: RequestContext,
    @Query() query: LinkQuery,
    @Translations() words: Messages,
  ): Promise<HtmlPage> {
    if (query.token === '') return this.captcha.protect(ctx, developerPages.forgottenPassword(words));
    if (await this.links.canReset(ctx, query.token)) return developerPages.chooseNewPassword(words, query.token);
    return this.captcha.protect(ctx, developerPages.resetLinkInvalid(words));
  }

  @Post('reset_password')
  @Access({ public: true })
  @Limit('mail')
  @Errors('invalid_input')
  @AcceptsForm()
  @ApiNoContent('Set a new password with a mailed token; every session ends')
  @UseInterceptors(ResetFormInterceptor)
  async reset(
    @Ctx() ctx: RequestContext,
    @Body() body: ResetPasswordRequest,
    @IsFormPost() fromForm: boolean,
    @Translations() words: Messages,
  ): Promise<HtmlPage | undefined> {
    await this.links.resetPassword(ctx, body.token, body.new_password);
    return fromForm ? developerPages.passwordSet(words) : undefined;
  }
}
