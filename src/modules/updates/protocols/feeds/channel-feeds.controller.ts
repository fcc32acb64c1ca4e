import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { Ctx } from '#infra/http/request/context';
import { Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { CHANNEL_FEEDS_DOCS } from '../../updates.docs';
import { ApiFeed } from '../polling/api-polled';
import { sendCacheable } from '../polling/send-cacheable';
import { ELECTRON_TYPE, electronUpdaterFeed } from './desktop-feeds';
import { electronFeed } from './feed-files';
import { FeedsService } from './feeds.service';

/** The name of a channel of electron-builder, and the suffix for the system on which electron-updater requests it. */
const FEED = /^[A-Za-z0-9][A-Za-z0-9-]{0,63}?(-mac|-linux(?:-[a-z0-9]+)?)?$/;

/**
 * The feeds that electron-updater requests in builds with a prerelease version: electron-builder makes `beta` of `1.2.3-beta.1` the channel of
 * the app, so that it requests `beta.yml` instead of `latest.yml`. The update key alone decides which build it gets.
 */
@ApiTags('Updates')
@Describe(CHANNEL_FEEDS_DOCS)
@ApiParam({ name: 'update_key', type: 'string', description: 'The key in the app.' })
@Controller('updates/:update_key')
export class ChannelFeedsController {
  constructor(private readonly feeds: FeedsService) {}

  @Get(':feed.yml')
  @Access({ public: true })
  @Limit('update')
  @Errors('not_found')
  @ApiParam({
    name: 'feed',
    schema: { type: 'string', pattern: FEED.source },
    example: 'beta-mac',
    description:
      'The channel in the prerelease version of the app, with the suffix `-mac` on macOS, `-linux` on Linux, and `-linux-arm64` or `-linux-ia32` on its other architectures.',
  })
  @ApiFeed('Get the feed of electron-updater for a prerelease', 'text/yaml')
  async electron(
    @Ctx() ctx: RequestContext,
    @Param('update_key') key: string,
    @Param('feed') feed: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const [name, suffix = ''] = FEED.exec(feed) ?? [];
    if (name === undefined) throw new AppError('not_found', { message: 'There is no feed with this name.' });
    const { platform, need } = electronFeed(suffix);
    const build = await this.feeds.read(ctx, key, [platform], need);
    sendCacheable(request, response, { contentType: ELECTRON_TYPE, body: electronUpdaterFeed(build) });
  }
}
