import { Body, Controller, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { projectScope } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiNoContent, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { TESTER_INVITES_DOCS } from '../testers.docs';
import { InviteQuery, InviteTesterRequest } from '../testers.dto';
import { inviteTarget } from './invite-target';
import { TesterInvitesService } from './tester-invites.service';

@ApiTags('Testers')
@Describe(TESTER_INVITES_DOCS)
@Controller('testers/:tester_id/invite')
export class TesterInvitesController {
  constructor(private readonly invites: TesterInvitesService) {}

  @Post()
  @Access(ACCESS.project('MANAGE_TESTERS', 'testers:write'))
  @Limit('tester-mail')
  @Idempotent()
  @Errors('not_found', 'invalid_input', 'operation_not_allowed')
  @ApiNoContent('Mail a tester a personal link: to a channel, to a build, or to every build that they may install')
  async invite(
    @Ctx() ctx: RequestContext,
    @Query() query: InviteQuery,
    @IdParam('tester_id') testerId: string,
    @Body() body: InviteTesterRequest,
  ): Promise<void> {
    const target = inviteTarget(query.channel_id, body.build_id);
    await this.invites.invite(ctx, projectScope(query), testerId, target);
  }
}
