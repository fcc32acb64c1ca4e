import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { type ChannelScope, type ProjectScope } from '#kernel/context/scope';
import { AccessService } from '#modules/access';
import { BillingService } from '#modules/billing';
import { type BuildPromoter, BuildsService } from '#modules/builds';
import { ChannelsService } from '#modules/channels';
import { ReleasesService } from './releases.service';

/** The `channel_id` of an upload (contract §7): one call uploads and promotes, all or nothing. */
@Injectable()
export class PromoteOnUpload implements BuildPromoter, OnModuleInit {
  constructor(
    private readonly access: AccessService,
    private readonly billing: BillingService,
    private readonly builds: BuildsService,
    private readonly channels: ChannelsService,
    private readonly releases: ReleasesService,
  ) {}

  onModuleInit(): void {
    this.builds.promoteBy(this);
  }

  /** To promote takes what `POST /releases` takes. */
  async allow(ctx: RequestContext, scope: ProjectScope, channelId: string): Promise<void> {
    await this.access.require(ctx, scope, { project: 'MANAGE_RELEASES', scope: 'releases:write' });
    await this.billing.requirePlan(ctx, scope.organizationId, 'business');
    if (!(await this.channels.find(ctx, scope, channelId))) throw AppError.notFound('channel');
  }

  async promote(tx: RequestContext, channel: ChannelScope, buildId: string): Promise<string> {
    return (await this.releases.promote(tx, channel, { buildId })).id;
  }
}
