import { Controller, Get, Param } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { isPlatform, PLATFORMS } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { ApiRedirect, Errors } from '#infra/http/response/api-responses';
import { Ctx } from '#infra/http/request/context';
import { Limit } from '#infra/rate-limit/limits';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { InstallService } from './install.service';
import { Link, type LinkPath } from './page/link-addresses';
import { LATEST_DOCS } from './install.docs';

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
  ): Promise<{ url: string }> {
    return this.latest(ctx, token, platform, 'page');
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
  ): Promise<{ url: string }> {
    return this.latest(ctx, token, platform, 'package');
  }

  private async latest(
    ctx: RequestContext,
    token: string,
    platform: string,
    target: 'page' | 'package',
  ): Promise<{ url: string }> {
    if (!isPlatform(platform)) throw new AppError('not_found');
    return { url: await this.install.latestUrl(ctx, token, platform, target) };
  }
}
