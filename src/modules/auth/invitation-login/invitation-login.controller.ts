import { Body, Controller, Headers, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { LANGUAGES } from '#kernel/text/language';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { type AppRequest } from '#infra/http/request/app-request';
import { Ctx } from '#infra/http/request/context';
import { ApiResult, Errors, OrNoContent } from '#infra/http/response/api-responses';
import { pickLocale } from '#infra/pages/messages/messages';
import { Limit } from '#infra/rate-limit/limits';
import { AcceptLanguageOfAccount } from '#modules/developers';
import { INVITATION_LOGIN_DOCS } from '../auth.docs';
import { SameSiteOnly } from '../credentials/cross-site.guard';
import { SessionCookies } from '../sessions/session-cookies';
import { TokenPairResponse } from '../sessions/sessions.dto';
import { InvitationLoginRequest } from './invitation-login.dto';
import { InvitationLoginService } from './invitation-login.service';

/** Needs no captcha: a script would need a mailbox for each account, and an ADMIN who invites it. */
@ApiTags('Login and session')
@Describe(INVITATION_LOGIN_DOCS)
@Controller('login/invitation')
@SameSiteOnly()
export class InvitationLoginController {
  constructor(
    private readonly login: InvitationLoginService,
    private readonly cookies: SessionCookies,
  ) {}

  @Post()
  @Access({ public: true })
  @Limit('signup')
  @Errors('already_exists', 'invalid_input', 'operation_not_allowed', 'permission_denied', 'quota_exceeded')
  @AcceptLanguageOfAccount()
  @ApiResult('Sign up with the token of an invitation, join its organization and log in', TokenPairResponse)
  @OrNoContent('Joined with `cookies_only`: the pair is in the cookies alone.')
  async logIn(
    @Ctx() ctx: RequestContext,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
    @Body() { cookies_only: cookiesOnly, ...body }: InvitationLoginRequest,
    @Headers('accept-language') languages?: string,
  ): Promise<TokenPairResponse | undefined> {
    const language = pickLocale(languages, LANGUAGES);
    const { email, ...pair } = await this.login.logIn(ctx, { ...body, language, userAgent: request.get('user-agent') });
    this.cookies.rememberDevice(ctx, response, { email, device: null });
    return this.cookies.deliver(response, pair, cookiesOnly);
  }
}
