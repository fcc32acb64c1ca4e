import { Controller, Delete, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { PageQuery, toPage } from '#infra/http/dto/pagination';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiNoContent, ApiResult, Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { OWN_SESSIONS_DOCS } from '../auth.docs';
import { currentSessionOf, OwnSessionsService } from './own-sessions.service';
import { type Session } from './session';
import { SessionPage, type SessionResponse } from './sessions.dto';

@ApiTags('Login and session')
@Describe(OWN_SESSIONS_DOCS)
@Controller('developers/me/sessions')
export class OwnSessionsController {
  constructor(private readonly sessions: OwnSessionsService) {}

  @Get()
  @Access(ACCESS.login())
  @Limit('read')
  @ApiResult('List your sessions, newest first', SessionPage)
  async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<SessionPage> {
    const current = currentSessionOf(ctx);
    return toPage(await this.sessions.list(ctx, query), (session) => toSessionResponse(session, current));
  }

  @Delete()
  @Access(ACCESS.login({ verified: false }))
  @Limit('write')
  @ApiNoContent('End all your sessions except the current one; their access tokens stop working immediately')
  endOthers(@Ctx() ctx: RequestContext): Promise<void> {
    return this.sessions.endOthers(ctx);
  }

  @Delete(':session_id')
  @Access(ACCESS.login({ verified: false }))
  @Limit('write')
  @Errors('not_found')
  @ApiNoContent('End one of your sessions; its access token stops working immediately')
  end(@Ctx() ctx: RequestContext, @IdParam('session_id') id: string): Promise<void> {
    return this.sessions.end(ctx, id);
  }
}

const toSessionResponse = (session: Session, current: string | null): SessionResponse => ({
  id: session.id,
  current: session.id === current,
  created_at: session.createdAt.toISOString(),
  last_used_at: session.lastUsedAt?.toISOString() ?? null,
  expires_at: session.expiresAt.toISOString(),
  address: session.address,
  user_agent: session.userAgent,
});
