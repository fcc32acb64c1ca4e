import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelScope } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { BuildsService } from '#modules/builds';
import { ChannelsService } from '#modules/channels';
import { type Audience, TesterCountsService } from '#modules/testers';

/** Counts, before a promotion, the recipients of its mails. */
@Injectable()
export class ReleaseAudienceService {
  constructor(
    private readonly builds: BuildsService,
    private readonly channels: ChannelsService,
    private readonly testers: TesterCountsService,
  ) {}

  /** Counts the testers whom the promotion of a build to a channel would mail. @throws AppError not_found */
  async count(ctx: RequestContext, channel: ChannelScope, buildId: string): Promise<Audience> {
    if (!(await this.channels.find(ctx, channel, channel.channelId))) throw AppError.notFound('channel');
    const { platform } = await this.builds.get(ctx, channel, buildId);
    return this.testers.audience(ctx, channel, platform);
  }
}
