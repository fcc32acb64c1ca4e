import { Controller, Get, Param, Req } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { detectDevice, isOpening } from '#kernel/builds/device';
import { isPlatform, PLATFORMS } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { type AppRequest } from '#infra/http/request/app-request';
import { Ctx } from '#infra/http/request/context';
import { ApiRedirect, Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { LATEST_DOCS } from './install.docs';
import { InstallService, type LatestBuild } from './install.service';
import { Link, type LinkPath } from './page/link-addresses';

/** Stable addresses of a link's newest build of a platform. The redirect itself is free. */
@ApiTags('Install')
@Describe(LATEST_DOCS)
@ApiParam({
  name: 'platform',
  description: 'The platform of the build.',
  schema: { type: 'string', enum: [...PLATFORMS] },
})
@Controller('install/:invite_token/latest/:platform')
export class LatestController {
  constructor(private readonly install: InstallService) {}

  @Get()
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found')
  @ApiRedirect("Redirect to the page of the link's newest build of a platform")
  page(
    @Ctx() ctx: RequestContext,
    @Link() { token }: LinkPath,
    @Param('platform') platform: string,
    @Req() request: AppRequest,
  ): Promise<{ url: string }> {
    return this.latest(ctx, { token, platform, target: 'page' }, request);
  }

  @Get('package')
  @Access({ invite: true })
  @Limit('page')
  @Errors('not_found')
  @ApiRedirect("Redirect to the package of the link's newest build of a platform")
  package(
    @Ctx() ctx: RequestContext,
    @Link() { token }: LinkPath,
    @Param('platform') platform: string,
    @Req() request: AppRequest,
  ): Promise<{ url: string }> {
    return this.latest(ctx, { token, platform, target: 'package' }, request);
  }

  private async latest(
    ctx: RequestContext,
    { platform, ...latest }: Omit<LatestBuild, 'platform'> & { readonly platform: string },
    request: AppRequest,
  ): Promise<{ url: string }> {
    if (!isPlatform(platform)) throw new AppError('not_found');
    const isOpened = isOpening(request.method, detectDevice(request.get('user-agent')));
    return { url: await this.install.latestUrl(ctx, { ...latest, platform }, isOpened) };
  }
}
