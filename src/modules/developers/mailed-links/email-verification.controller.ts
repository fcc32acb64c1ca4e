import { Body, Controller, Get, Head, Header, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { CaptchaProtected, CaptchaService } from '#modules/captcha';
import { ApiHtmlPage, ApiNoContent, Errors } from '#infra/http/response/api-responses';
import { Ctx } from '#infra/http/request/context';
import { AcceptsForm, IsFormPost } from '#infra/http/request/html-form';
import { IdParam } from '#infra/http/request/id-param';
import { LinkQuery } from '#infra/http/dto/link-query';
import { type HtmlPage } from '#infra/pages/rendering/html-page';
import { Translations } from '#infra/pages/messages/locale';
import { type Messages } from '#infra/pages/messages/messages';
import { Limit } from '#infra/rate-limit/limits';
import { Access } from '#infra/http/access';
import { DeveloperLinksService } from './developer-links.service';
import { developerPages } from './developer-pages';
import { EmailRequest, VerifyEmailRequest } from '../dto/developer.requests';

/** The verification link of the mail. Programs are answered in JSON, a browser's forms with a page. */
@ApiTags('Developer account')
@Controller('developers')
export class EmailVerificationController {
  constructor(
    private readonly links: DeveloperLinksService,
    private readonly captcha: CaptchaService,
  ) {}

  @Post('resend-verification')
  @Access({ public: true })
  @Limit('mail')
  @CaptchaProtected()
  @AcceptsForm()
  @ApiNoContent('Ask for another verification mail; the same answer whether or not the e-mail is known')
  async resend(
    @Ctx() ctx: RequestContext,
    @Body() body: EmailRequest,
    @IsFormPost() fromForm: boolean,
    @Translations() words: Messages,
  ): Promise<HtmlPage | undefined> {
    await this.links.request(ctx, body.email, 'verify_email');
    return fromForm ? developerPages.verifyLinkSent(words) : undefined;
  }

  /** Mail scanners and previews look first: looking does nothing. */
  @Head(':developer_id/verify_email')
  @Access({ public: true })
  @Limit('page')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @ApiHtmlPage('Look at a verification link; nothing happens')
  look(@IdParam('developer_id') _id: string): void {
    return;
  }

  @Get(':developer_id/verify_email')
  @Access({ public: true })
  @Limit('page')
  @Errors('invalid_input')
  @ApiHtmlPage('Verify the e-mail by the mailed link and show a page that says so; logs nobody in')
  async open(
    @Ctx() ctx: RequestContext,
    @IdParam('developer_id') id: string,
    @Query() query: LinkQuery,
    @Translations() words: Messages,
  ): Promise<HtmlPage> {
    const outcome = await this.links.verifyEmail(ctx, id, query.token);
    return this.captcha.protect(ctx, developerPages.verification(words, outcome));
  }

  @Post(':developer_id/verify_email')
  @Access({ public: true })
  @Limit('page')
  @Errors('invalid_input')
  @AcceptsForm()
  @ApiNoContent('Verify the e-mail with the mailed token')
  async verify(
    @Ctx() ctx: RequestContext,
    @IdParam('developer_id') id: string,
    @Body() body: VerifyEmailRequest,
    @IsFormPost() fromForm: boolean,
    @Translations() words: Messages,
  ): Promise<HtmlPage | undefined> {
    const outcome = await this.links.verifyEmail(ctx, id, body.token);
    if (fromForm) return this.captcha.protect(ctx, developerPages.verification(words, outcome));
    if (outcome !== 'verified')
      throw AppError.invalidInput('link_expired', 'This link has been used or has expired. Ask for a new one.');
    return undefined;
  }
}
