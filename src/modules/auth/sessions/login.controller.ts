import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { type AppRequest } from '#infra/http/request/app-request';
import { Ctx } from '#infra/http/request/context';
import { ApiNoContent, ApiResult, Errors, OrNoContent } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { LOGIN_DOCS } from '../auth.docs';
import { cookieOf, REFRESH_COOKIE, refreshCookieOf, requireSingleCookies } from '../credentials/credential';
import { SameSiteOnly } from '../credentials/cross-site.guard';
import { SessionProofs } from '../credentials/session-proofs';
import { DEVICE_COOKIE } from '../login/device-cookies';
import { LoginService } from './login.service';
import { OwnSessionsService } from './own-sessions.service';
import { SessionCookies } from './session-cookies';
import { LoginRequest, LogoutRequest, RefreshRequest, TokenPairResponse } from './sessions.dto';
import { SessionsService } from './sessions.service';

@ApiTags('Login and session')
@Describe(LOGIN_DOCS)
@Controller('login')
@SameSiteOnly()
export class LoginController {
  constructor(
    private readonly login: LoginService,
    private readonly sessions: SessionsService,
    private readonly ownSessions: OwnSessionsService,
    private readonly cookies: SessionCookies,
    private readonly proofs: SessionProofs,
  ) {}

  @Post('email')
  @Access({ public: true })
  @Limit('login')
  @Errors('unauthorized', 'permission_denied', 'invalid_input')
  @ApiResult(
    'Log in; the response also sets the pair as the cookies dfdeveloper and dfdeveloper_refresh',
    TokenPairResponse,
  )
  @OrNoContent('Logged in with `cookies_only`: the pair is in the cookies alone.')
  async logIn(
    @Ctx() ctx: RequestContext,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
    @Body() { email, password, mfa_code: mfaCode, captcha, cookies_only: cookiesOnly }: LoginRequest,
  ): Promise<TokenPairResponse | undefined> {
    const deviceCookie = cookieOf(request, DEVICE_COOKIE);
    const login = { email, password, mfaCode, captcha, deviceCookie, userAgent: request.get('user-agent') };
    const { device, ...pair } = await this.login.logIn(ctx, login);
    this.cookies.rememberDevice(ctx, response, { email, device });
    return this.cookies.deliver(response, pair, cookiesOnly);
  }

  @Post('refresh')
  @Access({ public: true })
  @Limit('refresh')
  @Errors('unauthorized', 'permission_denied')
  @ApiSecurity({})
  @ApiSecurity('refresh_cookie')
  @ApiResult('Exchange a refresh token for a new pair; the token cannot be used again', TokenPairResponse)
  @OrNoContent('Refreshed with `cookies_only`: the new pair is in the cookies alone.')
  async refresh(
    @Ctx() ctx: RequestContext,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
    @Body() body: RefreshRequest,
  ): Promise<TokenPairResponse | undefined> {
    const isFromCookie = body.refresh_token === undefined;
    const accepts = (sessionId: string): boolean => !isFromCookie || this.proofs.accepts(request, sessionId);
    const pair = await this.sessions.refresh(ctx, body.refresh_token ?? refreshTokenIn(request), accepts);
    return this.cookies.deliver(response, pair, body.cookies_only);
  }

  @Post('logout')
  @Access(ACCESS.login({ verified: false, orRefreshToken: true }))
  @Limit('login')
  @ApiNoContent(
    'Log out with an access or a refresh token; all your sessions end, or this one, and both cookies are cleared',
  )
  async logOut(
    @Ctx() ctx: RequestContext,
    @Res({ passthrough: true }) response: Response,
    @Body() { only_this_session: onlyThis }: LogoutRequest,
  ): Promise<void> {
    await (onlyThis ? this.ownSessions.endCurrent(ctx) : this.sessions.logOut(ctx));
    this.cookies.clear(response);
  }
}

/** The refresh token of the cookie. @throws AppError unauthorized */
function refreshTokenIn(request: AppRequest): string {
  requireSingleCookies(request, REFRESH_COOKIE);
  const token = refreshCookieOf(request);
  if (token === undefined)
    throw new AppError('unauthorized', {
      message: 'The refresh token is missing. Send the cookie dfdeveloper_refresh or {"refresh_token"}.',
    });
  return token;
}
