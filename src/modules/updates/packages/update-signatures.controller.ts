import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiSchema, ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { TextField } from '#infra/http/dto/fields';
import { ProjectQuery, projectScope } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { UPDATE_SIGNATURES_DOCS } from '../updates.docs';
import { UpdateSignaturesService } from './update-signatures.service';

const EXAMPLE = 'WVyVJpOx+a5+vNWJVY79TRjFKveNk+VhGJf2iti4CZtJsJewIUGvh/1AKKEAFbH1qUwx+vro1ECuzOsMmumoBA==';
const DESCRIPTION =
  'The signature of the file: of Sparkle the EdDSA signature, of Tauri the content of the `.sig` file. `null` when there is none.';

@ApiSchema({ description: 'The signature of a build for its updater.' })
export class UpdateSignatureRequest {
  @TextField({ max: 1024, nullable: true, pattern: /^[A-Za-z0-9+/=]+$/, example: EXAMPLE, description: DESCRIPTION })
  signature: string | null;
}

@ApiSchema({ description: 'The signature of a build for its updater.' })
export class UpdateSignatureResponse {
  @TextField({ max: 1024, nullable: true, example: EXAMPLE, description: DESCRIPTION })
  signature: string | null;
}

@ApiTags('Updates')
@Describe(UPDATE_SIGNATURES_DOCS)
@Controller('builds/:build_id/update-signature')
export class UpdateSignaturesController {
  constructor(private readonly signatures: UpdateSignaturesService) {}

  @Get()
  @Access(ACCESS.project('VIEW_PROJECT', 'builds:read'))
  @Limit('read')
  @ApiResult('Get the update signature of a build', UpdateSignatureResponse)
  async get(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('build_id') id: string,
  ): Promise<UpdateSignatureResponse> {
    return { signature: await this.signatures.get(ctx, projectScope(query), id) };
  }

  @Put()
  @Access(ACCESS.project('UPLOAD_BUILD', 'builds:write'))
  @Limit('write')
  @Idempotent()
  @ApiResult('Store the update signature of a build, or delete it', UpdateSignatureResponse)
  async set(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('build_id') id: string,
    @Body() { signature }: UpdateSignatureRequest,
  ): Promise<UpdateSignatureResponse> {
    await this.signatures.set(ctx, projectScope(query), id, signature);
    return { signature };
  }
}
