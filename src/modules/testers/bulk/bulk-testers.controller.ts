import { Body, Controller, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { ProjectQuery, projectScope } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Heavy } from '#infra/rate-limit/heavy';
import { BULK_TESTERS_DOCS } from '../testers.docs';
import { BulkTestersRequest, BulkTestersResponse, toBulkAct, toBulkResponse } from './bulk-testers.dto';
import { BulkTestersService } from './bulk-testers.service';

@ApiTags('Testers')
@Describe(BULK_TESTERS_DOCS)
@Controller('testers/bulk')
export class BulkTestersController {
  constructor(private readonly testers: BulkTestersService) {}

  @Post()
  @Access(ACCESS.project('MANAGE_TESTERS', 'testers:write'))
  @Idempotent()
  @Heavy()
  @Errors('not_found', 'invalid_input')
  @ApiResult('Subscribe, unsubscribe, invite or erase up to 100 testers', BulkTestersResponse)
  async run(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @Body() body: BulkTestersRequest,
  ): Promise<BulkTestersResponse> {
    return toBulkResponse(await this.testers.run(ctx, projectScope(query), toBulkAct(body), body.tester_ids));
  }
}
