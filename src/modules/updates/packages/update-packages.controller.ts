import { Controller, Get, Head, Param, Req, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { EXAMPLE } from '#infra/http/dto/example';
import { type AppRequest } from '#infra/http/request/app-request';
import { Ctx } from '#infra/http/request/context';
import { ApiBlobHead, ApiRedirect, Errors } from '#infra/http/response/api-responses';
import { sendBlob } from '#infra/http/response/blob-response';
import { Limit } from '#infra/rate-limit/limits';
import { UPDATE_PACKAGES_DOCS } from '../updates.docs';
import { type PackagePath, UpdatePackagesService } from './update-packages.service';

type PathParameters = Readonly<Record<'update_key' | 'build_id' | 'file_name', string>>;

/** The files that checks and feeds name. HEAD requests mint and reserve nothing. */
@ApiTags('Updates')
@Describe(UPDATE_PACKAGES_DOCS)
@ApiParam({ name: 'update_key', type: 'string', description: 'The key in the app.' })
@ApiParam({
  name: 'build_id',
  description: 'The current build of the key.',
  schema: { type: 'string', format: 'uuid', example: EXAMPLE.ids.build },
})
@ApiParam({ name: 'file_name', type: 'string', description: 'The name of its file.' })
@Controller('updates/:update_key/builds/:build_id/:file_name')
export class UpdatePackagesController {
  constructor(private readonly packages: UpdatePackagesService) {}

  @Head()
  @Access({ public: true })
  @Limit('update')
  @Errors('not_found')
  @ApiBlobHead('Get size and type of the file of an update; reserves nothing')
  async look(
    @Ctx() ctx: RequestContext,
    @Param() path: PathParameters,
    @Req() request: AppRequest,
    @Res() response: Response,
  ): Promise<void> {
    await sendBlob(request, response, await this.packages.describe(ctx, packageOf(path)));
  }

  @Get()
  @Access({ public: true })
  @Limit('update')
  @Errors('not_found', 'prepaid_credit_exhausted', 'spend_cap_exceeded', 'quota_exceeded')
  @ApiRedirect('Download the file of an update; redirects to a download URL minted for this request')
  async download(@Ctx() ctx: RequestContext, @Param() path: PathParameters): Promise<{ url: string }> {
    return { url: await this.packages.downloadUrl(ctx, packageOf(path)) };
  }
}

const packageOf = (path: PathParameters): PackagePath => ({
  token: path.update_key,
  buildId: path.build_id,
  fileName: path.file_name,
});
