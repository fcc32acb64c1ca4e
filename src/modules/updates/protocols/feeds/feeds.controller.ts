import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { Ctx } from '#infra/http/request/context';
import { ApiResultOrNoContent, Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { FEEDS_DOCS } from '../../updates.docs';
import { ApiFeed } from '../polling/api-polled';
import { jsonBody, sendCacheable, sendNothingNew } from '../polling/send-cacheable';
import {
  ELECTRON_TYPE,
  electronUpdaterFeed,
  squirrelUpdate,
  TAURI_TARGETS,
  tauriPlatforms,
  tauriUpdate,
} from './desktop-feeds';
import { ANY_FILE, electronFeed, needOfTauri, ZIP_OF_A_MAC_APP } from './feed-files';
import { SquirrelQuery, SquirrelUpdateResponse, TauriUpdateResponse } from './feeds.dto';
import { FeedsService } from './feeds.service';
import { appcast, APPCAST_PLATFORMS, APPCAST_TYPE } from './sparkle';

const NOT_NEWER = 'The build is newer than the installed app.';

/** The feeds of desktop frameworks, at the addresses that their updaters request. */
@ApiTags('Updates')
@Describe(FEEDS_DOCS)
@ApiParam({ name: 'update_key', type: 'string', description: 'The key in the app.' })
@Controller('updates/:update_key')
export class FeedsController {
  constructor(private readonly feeds: FeedsService) {}

  @Get('appcast.xml')
  @Access({ public: true })
  @Limit('update')
  @Errors('not_found')
  @ApiFeed('Get the feed of Sparkle', 'application/rss+xml')
  async appcast(
    @Ctx() ctx: RequestContext,
    @Param('update_key') key: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const body = appcast(await this.feeds.read(ctx, key, APPCAST_PLATFORMS, ANY_FILE));
    sendCacheable(request, response, { contentType: APPCAST_TYPE, body });
  }

  @Get('latest.yml')
  @Access({ public: true })
  @Limit('update')
  @Errors('not_found')
  @ApiFeed('Get the feed of electron-updater for Windows', 'text/yaml')
  electronWindows(
    @Ctx() ctx: RequestContext,
    @Param('update_key') key: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.electron(ctx, { key, suffix: '' }, request, response);
  }

  @Get('latest-mac.yml')
  @Access({ public: true })
  @Limit('update')
  @Errors('not_found')
  @ApiFeed('Get the feed of electron-updater for macOS', 'text/yaml')
  electronMac(
    @Ctx() ctx: RequestContext,
    @Param('update_key') key: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.electron(ctx, { key, suffix: '-mac' }, request, response);
  }

  @Get('latest-linux.yml')
  @Access({ public: true })
  @Limit('update')
  @Errors('not_found')
  @ApiFeed('Get the feed of electron-updater for Linux', 'text/yaml')
  electronLinux(
    @Ctx() ctx: RequestContext,
    @Param('update_key') key: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.electron(ctx, { key, suffix: '-linux' }, request, response);
  }

  @Get('latest-linux-:arch.yml')
  @Access({ public: true })
  @Limit('update')
  @Errors('not_found')
  @ApiParam({ name: 'arch', type: 'string', description: '`arm64` or `ia32`. Another one is `404`.' })
  @ApiFeed('Get the feed of electron-updater for Linux on other architectures than x64', 'text/yaml')
  electronLinuxOf(
    @Ctx() ctx: RequestContext,
    @Param() path: Record<'update_key' | 'arch', string>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const suffix = `-linux-${path.arch}`;
    return this.electron(ctx, { key: path.update_key, suffix }, request, response);
  }

  @Get('squirrel')
  @Access({ public: true })
  @Limit('update')
  @Errors('not_found')
  @ApiResultOrNoContent("Get the update for Electron's built-in updater on macOS", SquirrelUpdateResponse, NOT_NEWER)
  async squirrel(
    @Ctx() ctx: RequestContext,
    @Param('update_key') key: string,
    @Query() { version, arch }: SquirrelQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const need = { ...ZIP_OF_A_MAC_APP, arch };
    const build = await this.feeds.readNewer(ctx, { key, platforms: ['macos'], version }, need);
    if (build) sendCacheable(request, response, jsonBody(squirrelUpdate(build)));
    else sendNothingNew(response);
  }

  @Get('tauri/:target/:arch/:version')
  @Access({ public: true })
  @Limit('update')
  @Errors('not_found')
  @ApiParam({
    name: 'target',
    schema: { type: 'string', enum: TAURI_TARGETS },
    description: 'The system.',
  })
  @ApiParam({ name: 'arch', type: 'string', description: 'The architecture, for example `aarch64`.' })
  @ApiParam({ name: 'version', type: 'string', description: 'The version of the installed app.' })
  @ApiResultOrNoContent('Get the update for the updater of Tauri', TauriUpdateResponse, NOT_NEWER)
  async tauri(
    @Ctx() ctx: RequestContext,
    @Param() path: Record<'update_key' | 'target' | 'arch' | 'version', string>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const wanted = { key: path.update_key, platforms: tauriPlatforms(path.target), version: path.version };
    const build = await this.feeds.readNewer(ctx, wanted, needOfTauri(path.arch));
    if (build) sendCacheable(request, response, jsonBody(tauriUpdate(build)));
    else sendNothingNew(response);
  }

  private async electron(
    ctx: RequestContext,
    { key, suffix }: { readonly key: string; readonly suffix: string },
    request: Request,
    response: Response,
  ): Promise<void> {
    const { platform, need } = electronFeed(suffix);
    const body = electronUpdaterFeed(await this.feeds.read(ctx, key, [platform], need));
    sendCacheable(request, response, { contentType: ELECTRON_TYPE, body });
  }
}
