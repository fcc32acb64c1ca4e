import { Injectable } from '@nestjs/common';
import { PLATFORMS } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page } from '#kernel/cursor';
import { ChannelViews, type ChannelWithUrl, type CurrentBuild, type DescribedChannel } from '#modules/channels';
import { ReleasesService, type ReleaseWithBuild } from '#modules/releases';
import { TesterCountsService } from '#modules/testers';

/** Adds the current builds and the number of subscribers. A page takes as many statements as one channel. */
@Injectable()
export class ChannelViewsService extends ChannelViews {
  constructor(
    private readonly releases: ReleasesService,
    private readonly testers: TesterCountsService,
  ) {
    super();
  }

  async one(ctx: RequestContext, channel: ChannelWithUrl): Promise<DescribedChannel> {
    const [described] = await this.all(ctx, channel, [channel]);
    return described as DescribedChannel;
  }

  async page(ctx: RequestContext, scope: ProjectScope, page: Page<ChannelWithUrl>): Promise<Page<DescribedChannel>> {
    return { ...page, items: await this.all(ctx, scope, page.items) };
  }

  private async all(
    ctx: RequestContext,
    scope: ProjectScope,
    channels: readonly ChannelWithUrl[],
  ): Promise<DescribedChannel[]> {
    if (channels.length === 0) return [];
    const ids = channels.map(({ id }) => id);
    const releases = await this.releases.currentOfMany(ctx, scope, ids);
    releases.sort((a, b) => PLATFORMS.indexOf(a.platform) - PLATFORMS.indexOf(b.platform));
    const subscribers = await this.testers.ofChannels(ctx, ids);
    return channels.map((channel) => ({
      ...channel,
      current: releases.filter(({ channelId }) => channelId === channel.id).map(toCurrentBuild),
      subscribers: subscribers.get(channel.id) ?? 0,
    }));
  }
}

const toCurrentBuild = ({ id, platform, sequence, promotedAt, build }: ReleaseWithBuild): CurrentBuild => ({
  releaseId: id,
  platform,
  sequence,
  promotedAt,
  buildId: build.id,
  version: build.version,
  buildNumber: build.buildNumber,
  sizeBytes: build.sizeBytes,
  iconUrl: build.iconUrl,
  installable: build.installable,
});
