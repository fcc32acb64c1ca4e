import { Body, Controller, Get, Head, Header, Post, Query, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { LinkQuery } from '#infra/http/dto/link-query';
import { Ctx } from '#infra/http/request/context';
import { AcceptsForm } from '#infra/http/request/html-form';
import { IdParam } from '#infra/http/request/id-param';
import { ApiHtmlPage, ApiNoContent, Errors } from '#infra/http/response/api-responses';
import { FormTexts, Translations } from '#infra/pages/messages/locale';
import { type Messages } from '#infra/pages/messages/messages';
import { type HtmlPage } from '#infra/pages/rendering/html-page';
import { PageInterceptor } from '#infra/pages/rendering/page.interceptor';
import { Limit } from '#infra/rate-limit/limits';
import { EMAIL_VERIFICATION_DOCS } from '../developers.docs';
import { EmailRequest, VerifyEmailRequest } from '../developers.dto';
import { accountPages } from './account-pages';
import { DeveloperLinksService, expiredLink } from './developer-links.service';

/** Verifies e-mail addresses by mailed links. Forms of a browser get a page in response, other clients JSON. */
@ApiTags('Developer account')
@Describe(EMAIL_VERIFICATION_DOCS)
@Controller('developers')
@UseInterceptors(PageInterceptor)
export class EmailVerificationController {
  constructor(private readonly links: DeveloperLinksService) {}

  @Post('resend-verification')
  @Access({ public: true })
  @Limit('mail')
  @AcceptsForm()
  @ApiNoContent('Request another verification mail; the response is the same whether or not the address has an account')
  async resend(
    @Ctx() ctx: RequestContext,
    @Body() body: EmailRequest,
    @FormTexts() texts: Messages | undefined,
  ): Promise<HtmlPage | undefined> {
    await this.links.request(ctx, body.email, 'verify_email');
    return texts && accountPages.verifyLinkSent(texts);
  }

  /** HEAD changes nothing, because mail scanners and link previews send it first. Express would run the GET handler. */
  @Head(':developer_id/verify_email')
  @Access({ public: true })
  @Limit('page')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @ApiHtmlPage('Look at a verification link; changes nothing')
  look(@IdParam('developer_id') _id: string): void {
    return;
  }

  @Get(':developer_id/verify_email')
  @Access({ public: true })
  @Limit('page')
  @Errors('invalid_input')
  @ApiHtmlPage('Verify the e-mail address with the mailed link and show a page; does not log in')
  async open(
    @Ctx() ctx: RequestContext,
    @IdParam('developer_id') id: string,
    @Query() query: LinkQuery,
    @Translations() messages: Messages,
  ): Promise<HtmlPage> {
    return accountPages.verification(messages, await this.links.verifyEmail(ctx, id, query.token));
  }

  @Post(':developer_id/verify_email')
  @Access({ public: true })
  @Limit('page')
  @Errors('invalid_input')
  @AcceptsForm()
  @ApiNoContent('Verify the e-mail address with the mailed token')
  async verify(
    @Ctx() ctx: RequestContext,
    @IdParam('developer_id') id: string,
    @Body() body: VerifyEmailRequest,
    @FormTexts() texts: Messages | undefined,
  ): Promise<HtmlPage | undefined> {
    const outcome = await this.links.verifyEmail(ctx, id, body.token);
    if (texts) return accountPages.verification(texts, outcome);
    if (outcome !== 'verified') throw expiredLink();
    return undefined;
  }
}
