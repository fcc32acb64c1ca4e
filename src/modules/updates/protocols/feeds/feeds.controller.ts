import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { Ctx } from '#infra/http/request/context';
import { ApiResultOrNoContent, Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { ApiFeed } from '../polling/api-polled';
import { jsonBody, sendCacheable, sendNothingNew } from '../polling/send-cacheable';
import { ELECTRON_TYPE, electronUpdaterFeed, squirrelUpdate, tauriUpdate } from './desktop-feeds';
import { SquirrelQuery, SquirrelUpdateResponse, TauriUpdateResponse } from './feeds.dto';
import { FEEDS_DOCS } from '../../updates.docs';
import { FeedsService } from './feeds.service';
import { fileForMac } from './mac-file';
import { APPCAST_PLATFORMS, APPCAST_TYPE, appcast } from './sparkle';

const TAURI_TARGETS: Readonly<Record<string, Platform>> = { darwin: 'macos', windows: 'windows', linux: 'linux' };
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
    const body = appcast(await this.feeds.read(ctx, key, APPCAST_PLATFORMS));
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
    return this.electron(ctx, { key, platform: 'windows' }, request, response);
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
    return this.electron(ctx, { key, platform: 'macos' }, request, response);
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
    return this.electron(ctx, { key, platform: 'linux' }, request, response);
  }

  @Get('squirrel')
  @Access({ public: true })
  @Limit('update')
  @Errors('not_found')
  @ApiResultOrNoContent("Get the update for Electron's built-in updater on macOS", SquirrelUpdateResponse, NOT_NEWER)
  async squirrel(
    @Ctx() ctx: RequestContext,
    @Param('update_key') key: string,
    @Query() { version }: SquirrelQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const build = await this.feeds.readNewer(ctx, key, ['macos'], version);
    if (build) sendCacheable(request, response, jsonBody(squirrelUpdate(fileForMac(build))));
    else sendNothingNew(response);
  }

  @Get('tauri/:target/:arch/:version')
  @Access({ public: true })
  @Limit('update')
  @Errors('not_found')
  @ApiParam({
    name: 'target',
    schema: { type: 'string', enum: Object.keys(TAURI_TARGETS) },
    description: 'The system.',
  })
  @ApiParam({ name: 'arch', type: 'string', description: 'The architecture, which does not matter.' })
  @ApiParam({ name: 'version', type: 'string', description: 'The version of the installed app.' })
  @ApiResultOrNoContent('Get the update for the updater of Tauri', TauriUpdateResponse, NOT_NEWER)
  async tauri(
    @Ctx() ctx: RequestContext,
    @Param() path: Record<'update_key' | 'target' | 'version', string>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const platform = Object.hasOwn(TAURI_TARGETS, path.target) ? TAURI_TARGETS[path.target] : undefined;
    const build = await this.feeds.readNewer(ctx, path.update_key, platform ? [platform] : [], path.version);
    if (!build) return sendNothingNew(response);
    if (build.signature === null) throw unsigned();
    sendCacheable(request, response, jsonBody(tauriUpdate(build, build.signature)));
  }

  private async electron(
    ctx: RequestContext,
    { key, platform }: { readonly key: string; readonly platform: Platform },
    request: Request,
    response: Response,
  ): Promise<void> {
    const body = electronUpdaterFeed(await this.feeds.readForElectron(ctx, key, platform));
    sendCacheable(request, response, { contentType: ELECTRON_TYPE, body });
  }
}

const unsigned = (): AppError =>
  new AppError('not_found', { message: 'The build has no update signature, which Tauri needs. Store one.' });
