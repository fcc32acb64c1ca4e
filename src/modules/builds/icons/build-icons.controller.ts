import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { Ctx } from '#infra/http/request/context';
import { ApiFile, Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { BUILD_ICONS_DOCS } from '../builds.docs';
import { BuildIconsService } from './build-icons.service';

const HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  // Keeps a browser from running anything in an image.
  'Content-Security-Policy': "default-src 'none'; sandbox",
  // Allows a dashboard on another host to show the icon.
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Serves the icons of builds to everyone who knows their address. */
@ApiTags('Builds')
@Describe(BUILD_ICONS_DOCS)
@Controller('icons')
export class BuildIconsController {
  constructor(private readonly icons: BuildIconsService) {}

  @Get(':icon_key')
  @Access({ public: true })
  @Limit('asset')
  @Errors('not_found')
  @ApiParam({
    name: 'icon_key',
    type: 'string',
    description: 'From `icon_url` of a build. It gives access to the icon only.',
  })
  @ApiFile("Get a build's icon; its content never changes", 'image/png', 'image/webp')
  async get(@Ctx() ctx: RequestContext, @Param('icon_key') key: string, @Res() response: Response): Promise<void> {
    const { mediaType, data } = await this.icons.get(ctx, key);
    response.set({ ...HEADERS, 'Content-Type': mediaType }).send(data);
  }
}
