import { Body, Controller, Get, Head, Header, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { CaptchaProtected, CaptchaService } from '#modules/captcha';
import { AnswersNothing, AnswersPage } from '#platform/http/answers';
import { Ctx } from '#platform/http/context';
import { Errors } from '#platform/http/errors';
import { FormAware, FromForm } from '#platform/http/form-post';
import { IdParam } from '#platform/http/id-param';
import { LinkQuery } from '#platform/http/link-query';
import { type HtmlPage } from '#platform/pages/html-page';
import { Words } from '#platform/pages/locale';
import { type Messages } from '#platform/pages/messages';
import { Limit } from '#platform/rate-limit/limits';
import { Access } from '#platform/security/access';
import { DeveloperLinksService } from './developer-links.service';
import { developerPages } from './developer-pages';
import { EmailRequest, VerifyEmailRequest } from './dto/developer.requests';

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
  @FormAware()
  @AnswersNothing('Ask for another verification mail; the same answer whether or not the e-mail is known')
  async resend(
    @Ctx() ctx: RequestContext,
    @Body() body: EmailRequest,
    @FromForm() fromForm: boolean,
    @Words() words: Messages,
  ): Promise<HtmlPage | undefined> {
    await this.links.request(ctx, body.email, 'verify_email');
    return fromForm ? developerPages.verifyLinkSent(words) : undefined;
  }

  /** Mail scanners and previews look first: looking does nothing. */
  @Head(':developer_id/verify_email')
  @Access({ public: true })
  @Limit('page')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @AnswersPage('Look at a verification link; nothing happens')
  look(@IdParam('developer_id') _id: string): void {
    return;
  }

  @Get(':developer_id/verify_email')
  @Access({ public: true })
  @Limit('page')
  @Errors('invalid_input')
  @AnswersPage('Verify the e-mail by the mailed link and show a page that says so; logs nobody in')
  async open(
    @Ctx() ctx: RequestContext,
    @IdParam('developer_id') id: string,
    @Query() query: LinkQuery,
    @Words() words: Messages,
  ): Promise<HtmlPage> {
    const outcome = await this.links.verifyEmail(ctx, id, query.token);
    return this.captcha.protect(ctx, developerPages.verification(words, outcome));
  }

  @Post(':developer_id/verify_email')
  @Access({ public: true })
  @Limit('page')
  @Errors('invalid_input')
  @FormAware()
  @AnswersNothing('Verify the e-mail with the mailed token')
  async verify(
    @Ctx() ctx: RequestContext,
    @IdParam('developer_id') id: string,
    @Body() body: VerifyEmailRequest,
    @FromForm() fromForm: boolean,
    @Words() words: Messages,
  ): Promise<HtmlPage | undefined> {
    const outcome = await this.links.verifyEmail(ctx, id, body.token);
    if (fromForm) return this.captcha.protect(ctx, developerPages.verification(words, outcome));
    if (outcome !== 'verified')
      throw AppError.invalidInput('link_expired', 'This link has been used or has expired. Ask for a new one.');
    return undefined;
  }
}
