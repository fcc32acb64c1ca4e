import { Body, Controller, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Access, ACCESS } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { type AppRequest } from '#infra/http/request/app-request';
import { Ctx } from '#infra/http/request/context';
import { ApiNoContent, ApiResult, Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { cookieOf, refreshCookieOf } from '../credentials/credential';
import { CrossSiteGuard } from '../credentials/cross-site.guard';
import { LoginRequest, RefreshRequest, TokenPairResponse } from '../dto/login.dto';
import { DEVICE_COOKIE } from '../login/device-cookies';
import { LoginService } from './login.service';
import { SessionCookies } from './session-cookies';
import { SessionsService, type TokenPair } from './sessions.service';
import { LOGIN_DOCS } from './login.docs';

@ApiTags('Login and session')
@Describe(LOGIN_DOCS)
@Controller('login')
@UseGuards(CrossSiteGuard)
export class LoginController {
  constructor(
    private readonly login: LoginService,
    private readonly sessions: SessionsService,
    private readonly cookies: SessionCookies,
  ) {}

  @Post('email')
  @Access({ public: true })
  @Limit('login')
  @Errors('unauthorized', 'permission_denied', 'invalid_input')
  @ApiResult(
    'Log in; the response also sets the pair as the cookies dfdeveloper and dfdeveloper_refresh',
    TokenPairResponse,
  )
  async logIn(
    @Ctx() ctx: RequestContext,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
    @Body() { email, password, mfa_code: mfaCode, captcha }: LoginRequest,
  ): Promise<TokenPairResponse> {
    const deviceCookie = cookieOf(request, DEVICE_COOKIE);
    const login = { email, password, mfaCode, captcha, deviceCookie, userAgent: request.get('user-agent') };
    const { device, ...pair } = await this.login.logIn(ctx, login);
    this.cookies.rememberDevice(ctx, response, { email, device });
    return this.respond(response, pair);
  }

  @Post('refresh')
  @Access({ public: true })
  @Limit('login')
  @Errors('unauthorized', 'permission_denied')
  @ApiSecurity({})
  @ApiSecurity('refresh_cookie')
  @ApiResult('Exchange a refresh token for a new pair; the token cannot be used again', TokenPairResponse)
  async refresh(
    @Ctx() ctx: RequestContext,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
    @Body() body: RefreshRequest,
  ): Promise<TokenPairResponse> {
    return this.respond(response, await this.sessions.refresh(ctx, refreshTokenOf(request, body)));
  }

  @Post('logout')
  @Access(ACCESS.login({ verified: false, orRefreshToken: true }))
  @Limit('login')
  @ApiNoContent('Log out with an access or a refresh token; all your sessions end and both cookies are cleared')
  async logOut(
    @Ctx() ctx: RequestContext,
    @Res({ passthrough: true }) response: Response,
    @Body() _body: RefreshRequest,
  ): Promise<void> {
    await this.sessions.logOut(ctx);
    this.cookies.clear(response);
  }

  private respond(response: Response, pair: TokenPair): TokenPairResponse {
    this.cookies.set(response, pair);
    return { token: pair.token, refresh_token: pair.refreshToken };
  }
}

function refreshTokenOf(request: AppRequest, body: RefreshRequest): string {
  const token = body.refresh_token ?? refreshCookieOf(request);
  if (typeof token !== 'string')
    throw new AppError('unauthorized', {
      message: 'The refresh token is missing. Send the cookie dfdeveloper_refresh or {"refresh_token"}.',
    });
  return token;
}
