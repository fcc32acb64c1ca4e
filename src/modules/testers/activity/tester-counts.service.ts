import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelScope } from '#kernel/context/scope';
import { ChannelRelationsService } from '#modules/channels';
import { ProjectFactsService } from '#modules/projects';
import { type Audience, TESTERS_OF_PROJECT, TesterCountsRepository } from './tester-counts.repository';

/** Counts testers, for callers who may not see them. */
@Injectable()
export class TesterCountsService implements OnModuleInit {
  constructor(
    private readonly repository: TesterCountsRepository,
    private readonly channels: ChannelRelationsService,
    private readonly projects: ProjectFactsService,
  ) {}

  onModuleInit(): void {
    this.channels.fields.add(async (ctx, scope, ids) => {
      const counts = await this.repository.ofChannels(ctx, scope, ids);
      return new Map(counts.map(({ id, count }) => [id, { subscribers: count }]));
    });
    this.projects.addFacts({
      sql: TESTERS_OF_PROJECT,
      toFields: (testers: number) => ({ testers }),
    });
  }

  /** Counts the testers whom a release of the platform reaches in the channel. Mails above a limit are sent later, and count. */
  audience(ctx: RequestContext, channel: ChannelScope, platform: Platform): Promise<Audience> {
    return this.repository.audience(ctx, channel, platform);
  }
}
