import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiNoContent, ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Idempotently, type IdempotentWork } from '#infra/idempotency/idempotent-work';
import { Limit } from '#infra/rate-limit/limits';
import { BYOSA_DOCS } from './byosa.docs';
import { ByosaDiagnosisResponse, ByosaResponse, PutByosaRequest } from './byosa.dto';
import { toByosaResponse, toDiagnosisResponse, toStoreSettings } from './byosa.mapper';
import { ByosaService } from './byosa.service';

@ApiTags('Storage')
@Describe(BYOSA_DOCS)
@Controller('organizations/:organization_id/byosa')
export class ByosaController {
  constructor(private readonly byosa: ByosaService) {}

  @Get()
  @Access(ACCESS.login({ organization: ['ADMIN'] }))
  @Limit('read')
  @ApiResult("Get the organization's own storage account, without its secrets", ByosaResponse)
  async get(@Ctx() ctx: RequestContext, @IdParam('organization_id') id: string): Promise<ByosaResponse> {
    return toByosaResponse(id, await this.byosa.find(ctx, id));
  }

  @Put()
  @Access(ACCESS.login({ organization: ['ADMIN'] }))
  @Limit('diagnose')
  @Idempotent({ streams: true })
  @Errors('invalid_input', 'operation_not_allowed')
  @ApiResult('Configure the storage account or change its credentials. The checks must pass', ByosaResponse)
  async put(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @Body() body: PutByosaRequest,
    @Idempotently() work: IdempotentWork,
  ): Promise<ByosaResponse> {
    const settings = toStoreSettings(body);
    await this.byosa.check(ctx, id, settings);
    return work.commit(async (tx) => toByosaResponse(id, await this.byosa.save(tx, id, settings)));
  }

  @Post('diagnose')
  @Access(ACCESS.login({ organization: ['ADMIN'] }))
  @Limit('diagnose')
  @Idempotent({ streams: true })
  @Errors('not_found')
  @ApiResult('Check the configured storage account', ByosaDiagnosisResponse)
  async diagnose(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @Idempotently() work: IdempotentWork,
  ): Promise<ByosaDiagnosisResponse> {
    const diagnosis = await this.byosa.diagnose(ctx, id);
    return work.commit(() => Promise.resolve(toDiagnosisResponse(diagnosis)));
  }

  @Delete()
  @Access(ACCESS.login({ organization: ['ADMIN'] }))
  @Limit('write')
  @Idempotent()
  @Errors('not_found')
  @ApiNoContent('Start the teardown of the storage account')
  tearDown(@Ctx() ctx: RequestContext, @IdParam('organization_id') id: string): Promise<void> {
    return this.byosa.tearDown(ctx, id);
  }
}
