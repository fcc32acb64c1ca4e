import { Controller, Get, Req } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { type DeveloperIdentity } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { type AppRequest } from '#infra/http/request/app-request';
import { Ctx } from '#infra/http/request/context';
import { ApiResult } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { toDeveloperResponse } from '#modules/developers';
import { toOrganizationResponse } from '#modules/organizations';
import { SESSION_STATE_DOCS } from '../auth.docs';
import { ACCESS_COOKIE, cookieOf, refreshCookieOf } from '../credentials/credential';
import { SessionProofs } from '../credentials/session-proofs';
import { SessionStateResponse } from './session-state.dto';
import { type SessionState, SessionStateService } from './session-state.service';

/** Below the path of the refresh cookie, which browsers send to `/api/v1/login` only. */
@ApiTags('Login and session')
@Describe(SESSION_STATE_DOCS)
@Controller('login/session')
export class SessionStateController {
  constructor(
    private readonly sessions: SessionStateService,
    private readonly proofs: SessionProofs,
  ) {}

  @Get()
  @Access({ public: true })
  @Limit('read')
  @ApiSecurity({})
  @ApiSecurity('session_cookie')
  @ApiSecurity('refresh_cookie')
  @ApiResult("Get the state of the session in a browser's cookies", SessionStateResponse)
  async find(@Ctx() ctx: RequestContext, @Req() request: AppRequest): Promise<SessionStateResponse> {
    const cookies = {
      accessToken: cookieOf(request, ACCESS_COOKIE),
      refreshToken: refreshCookieOf(request),
      accepts: (sessionId: DeveloperIdentity['sessionId']) => this.proofs.accepts(request, sessionId),
    };
    return toSessionStateResponse(await this.sessions.find(ctx, cookies));
  }
}

function toSessionStateResponse(session: SessionState): SessionStateResponse {
  if (session.state !== 'active') return { state: session.state, developer: null, organizations: [] };
  return {
    state: session.state,
    developer: toDeveloperResponse(session.developer, session.mfaEnabled),
    organizations: session.organizations.map(toOrganizationResponse),
  };
}
