import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { AppError } from '#kernel/errors/app-error';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { ApiFile, Errors } from '#infra/http/response/api-responses';
import { PageAssets } from '#infra/pages/page-assets';
import { Limit } from '#infra/rate-limit/limits';
import { ASSETS_DOCS } from './install.docs';

/** Serves the style sheet, scripts and pictures of the pages. Each file name contains a hash of its content. */
@ApiTags('Install')
@Describe(ASSETS_DOCS)
@Controller('assets')
export class AssetsController {
  constructor(private readonly assets: PageAssets) {}

  @Get(':asset')
  @Access({ public: true })
  @Limit('asset')
  @Errors('not_found')
  @ApiParam({ name: 'asset', type: 'string', description: 'The name of the file, with the hash of its content.' })
  @ApiFile('Get a style sheet, script or picture of the pages; its content never changes', '*/*')
  get(@Req() request: Request, @Res() response: Response): void {
    const asset = this.assets.find(request.path);
    if (!asset) throw new AppError('not_found');
    response.set(asset.headers).send(asset.body);
  }
}
