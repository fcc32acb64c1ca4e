import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type QuotaUse } from '#kernel/quota';
import { ChannelsService } from '#modules/channels';
import { DevicesService } from '#modules/devices';
import { InvitationsService } from '#modules/organizations';
import { ProjectsService } from '#modules/projects';
import { TestersService } from '#modules/testers';
import { ProjectAccessTokensService } from '#modules/tokens';
import { ResumableUploadsService, UploadLimitsService } from '#modules/uploads';

/** Collects how much of each quota is used. */
@Injectable()
export class QuotasService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly invitations: InvitationsService,
    private readonly channels: ChannelsService,
    private readonly testers: TestersService,
    private readonly devices: DevicesService,
    private readonly tokens: ProjectAccessTokensService,
    private readonly uploads: ResumableUploadsService,
    private readonly uploadLimits: UploadLimitsService,
  ) {}

  async ofOrganization(ctx: RequestContext, organizationId: string): Promise<QuotaUse[]> {
    const quotas = await Promise.all([
      this.projects.quota(ctx, organizationId),
      this.invitations.memberQuota(ctx, organizationId),
      this.uploadLimits.openBytesQuota(ctx, organizationId),
    ]);
    return quotas.filter((quota) => quota !== null);
  }

  ofProject(ctx: RequestContext, scope: ProjectScope): Promise<QuotaUse[]> {
    return Promise.all([
      this.channels.quota(ctx, scope),
      this.testers.quota(ctx, scope),
      this.devices.quota(ctx, scope),
      this.tokens.quota(ctx, scope),
      this.uploads.quota(ctx, scope),
    ]);
  }
}
