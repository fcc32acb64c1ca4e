import { Controller, Get, Head, Param, Req, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { type AppRequest } from '#infra/http/request/app-request';
import { Ctx } from '#infra/http/request/context';
import { ApiBlobHead, ApiRedirect, Errors } from '#infra/http/response/api-responses';
import { sendBlob } from '#infra/http/response/blob-response';
import { Limit } from '#infra/rate-limit/limits';
import { UPDATE_FILES_DOCS } from '../updates.docs';
import { type PackagePath, UpdatePackagesService } from './update-packages.service';

type PathParameters = Readonly<Record<'update_key' | 'version' | 'file_name', string>>;

/** The files that the feeds of electron-updater name, and their block maps. */
@ApiTags('Updates')
@Describe(UPDATE_FILES_DOCS)
@ApiParam({ name: 'update_key', type: 'string', description: 'The key in the app.' })
@ApiParam({
  name: 'version',
  type: 'string',
  description: 'The version of the current build; of a block map also an earlier one.',
})
@ApiParam({ name: 'file_name', type: 'string', description: 'The name of the artifact or attachment.' })
@Controller('updates/:update_key/files/:version/:file_name')
export class UpdateFilesController {
  constructor(private readonly packages: UpdatePackagesService) {}

  @Head()
  @Access({ public: true })
  @Limit('update')
  @Errors('not_found')
  @ApiBlobHead('Get size and type of the file of an update or of a block map; reserves nothing')
  async look(
    @Ctx() ctx: RequestContext,
    @Param() path: PathParameters,
    @Req() request: AppRequest,
    @Res() response: Response,
  ): Promise<void> {
    await sendBlob(request, response, await this.packages.describe(ctx, fileOf(path)));
  }

  @Get()
  @Access({ public: true })
  @Limit('update')
  @Errors('not_found', 'prepaid_credit_exhausted', 'spend_cap_exceeded', 'quota_exceeded')
  @ApiRedirect('Download the file of an update or a block map; redirects to a download URL minted for this request')
  async download(@Ctx() ctx: RequestContext, @Param() path: PathParameters): Promise<{ url: string }> {
    return { url: await this.packages.downloadUrl(ctx, fileOf(path)) };
  }
}

const fileOf = (path: PathParameters): PackagePath => ({
  token: path.update_key,
  version: path.version,
  fileName: path.file_name,
});
