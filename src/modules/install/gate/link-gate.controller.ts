import { Body, Controller, Post, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { HttpConfig } from '#infra/config/config';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { type AppRequest } from '#infra/http/request/app-request';
import { Ctx } from '#infra/http/request/context';
import { AcceptsForm, prefersHtml } from '#infra/http/request/html-form';
import { ApiNoContent, Errors } from '#infra/http/response/api-responses';
import { messagesOf, pageNavigationOf } from '#infra/pages/messages/locale';
import { type HtmlPage } from '#infra/pages/rendering/html-page';
import { PageInterceptor } from '#infra/pages/rendering/page.interceptor';
import { Limit } from '#infra/rate-limit/limits';
import { LINK_GATE_DOCS } from '../install.docs';
import { addressesOfLink, Link, type LinkPath } from '../page/link-addresses';
import { AcceptTermsRequest, SignInAtLinkRequest, UnlockLinkRequest } from './link-gate.dto';
import { gateError, type GateOutcome, LinkGateService } from './link-gate.service';
import { type GateRetry, LinkGatePages } from './link-gate-pages';

const SEE_OTHER = 303;

const OpensLink = (): MethodDecorator =>
  ApiResponse({ status: SEE_OTHER, description: 'The link is open. Location is its page, below a grant.' });

/** What visitors of a link with rules send before it opens. The routes read no cookie. */
@ApiTags('Install')
@Describe(LINK_GATE_DOCS)
@Controller('install/:invite_token')
@UseInterceptors(PageInterceptor)
export class LinkGateController {
  constructor(
    private readonly gate: LinkGateService,
    private readonly pages: LinkGatePages,
    private readonly config: HttpConfig,
  ) {}

  @Post('unlock')
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found', 'invalid_input')
  @AcceptsForm()
  @OpensLink()
  @ApiNoContent('Send the password of a link')
  async unlock(
    @Ctx() ctx: RequestContext,
    @Link() { token }: LinkPath,
    @Body() body: UnlockLinkRequest,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HtmlPage | undefined> {
    return this.respond(ctx, token, await this.gate.unlock(ctx, token, body), { request, response });
  }

  @Post('sign-in')
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found', 'invalid_input')
  @AcceptsForm()
  @OpensLink()
  @ApiNoContent('Request a code for the address of a tester, or send it')
  async signIn(
    @Ctx() ctx: RequestContext,
    @Link() { token }: LinkPath,
    @Body() { email, code, captcha }: SignInAtLinkRequest,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HtmlPage | undefined> {
    const isRequest = code === undefined;
    const outcome = isRequest
      ? await this.gate.requestCode(ctx, token, { email, captcha })
      : await this.gate.signIn(ctx, token, { email, code: code.replace(/\s/g, ''), captcha });
    const isRejected = isRequest && 'step' in outcome && outcome.problem !== undefined;
    return this.respond(ctx, token, outcome, { request, response }, isRejected ? {} : { email });
  }

  @Post('terms')
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found')
  @AcceptsForm()
  @OpensLink()
  @ApiNoContent('Accept the terms of a link')
  async accept(
    @Ctx() ctx: RequestContext,
    @Link() { token }: LinkPath,
    @Body() { version }: AcceptTermsRequest,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HtmlPage | undefined> {
    return this.respond(ctx, token, await this.gate.accept(ctx, token, version), { request, response });
  }

  private async respond(
    ctx: RequestContext,
    token: string,
    outcome: GateOutcome,
    { request, response }: { readonly request: AppRequest; readonly response: Response },
    retry: GateRetry = {},
  ): Promise<HtmlPage | undefined> {
    if ('opened' in outcome) {
      const url = addressesOfLink(this.config.installBaseUrl, outcome.opened).urlOf();
      response.status(SEE_OTHER).set('Location', pageNavigationOf(request).withLanguage(url));
      return undefined;
    }
    if (prefersHtml(request)) {
      const { step, problem } = outcome;
      return this.pages.page(ctx, token, step, messagesOf(request), { ...retry, ...(problem && { problem }) });
    }
    // A browser gets the page with the present terms. A program must not take the response for an acceptance.
    if (outcome.problem !== undefined || outcome.step.step === 'terms') throw gateError(outcome);
    return undefined;
  }
}
