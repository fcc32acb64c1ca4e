import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { AccessService } from '#modules/access';
import { BillingService } from '#modules/billing';
import { type BuildDraft } from '#modules/builds';
import { BranchChannelsService, type BranchProblem, ChannelsService } from '#modules/channels';

/** Where the build of an upload is promoted. */
export interface PromotionTarget {
  /** Null when the build is not promoted. */
  readonly channelId: string | null;
  readonly notify?: boolean | undefined;
  readonly branchProblem: BranchProblem | null;
}

/** Chooses the channels of uploads. */
@Injectable()
export class PromotionTargetsService {
  constructor(
    private readonly access: AccessService,
    private readonly billing: BillingService,
    private readonly channels: ChannelsService,
    private readonly branchChannels: BranchChannelsService,
  ) {}

  /**
   * Checks that the caller may promote into a channel: what `POST /releases` requires. Also called before the bytes are
   * received, so that a client does not send a file in vain.
   * @throws AppError the errors of `AccessService.require`; operation_not_allowed below the business plan; not_found for an unknown channel.
   */
  async require(ctx: RequestContext, scope: ProjectScope, channelId: string): Promise<void> {
    await this.access.require(ctx, scope, { project: 'MANAGE_RELEASES', scope: 'releases:write' });
    await this.billing.requirePlan(ctx, scope.organizationId, 'business');
    if (!(await this.channels.find(ctx, scope, channelId))) throw AppError.notFound('channel');
  }

  /** The channel that the upload names, else that of its branch, which never mails. */
  async find(tx: RequestContext, scope: ProjectScope, draft: BuildDraft): Promise<PromotionTarget> {
    const { channelId, notify, branch } = draft;
    if (channelId !== undefined) return { channelId, notify, branchProblem: null };
    const target = branch === undefined ? null : await this.branchChannels.use(tx, scope, branch);
    return { channelId: target?.channelId ?? null, notify: false, branchProblem: target?.problem ?? null };
  }
}
