import { Injectable } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelScope } from '#kernel/context/scope';
import { type Audience, TesterCountsRepository } from './tester-counts.repository';

/** Counts testers, for callers who may not see them. */
@Injectable()
export class TesterCountsService {
  constructor(private readonly repository: TesterCountsRepository) {}

  /** The numbers of subscribers of channels, by id. The caller may see the channels. */
  async ofChannels(ctx: RequestContext, channelIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const counts = await this.repository.ofChannels(ctx, channelIds);
    return new Map(counts.map(({ id, count }) => [id, count]));
  }

  /** Counts the testers whom a release of the platform reaches in the channel. Mails above a limit are sent later, and count. */
  audience(ctx: RequestContext, channel: ChannelScope, platform: Platform): Promise<Audience> {
    return this.repository.audience(ctx, channel, platform);
  }
}
