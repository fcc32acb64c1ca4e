import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { scopeOf } from '#kernel/context/scope';
import { ChannelsService } from '#modules/channels';
import { InstallLinksService, type TesterInstallLink } from '#modules/install-links';
import { ProjectsService } from '#modules/projects';
import { Transactions } from '#infra/database/transactions';
import { SubscriptionsService } from './subscriptions.service';
import { TestersService } from '../testers.service';

/** What testers may change by a link of theirs. */
export type InviteAction = 'subscribe' | 'unsubscribe' | 'decline';

/** What an action is about: a channel, or, without one, the whole project. */
export interface InviteSubject {
  readonly project: string;
  readonly channel: string | null;
}

export interface InviteActionOutcome extends InviteSubject {
  /** False when the link had been used before: then nothing was changed. */
  readonly done: boolean;
  /** A fresh link by which somebody who has just left can come back; null for all others, and who had many within the hour. */
  readonly returnUrl: string | null;
}

/** What testers change by themselves. Each link changes something once (specification §5); looking changes nothing. */
@Injectable()
export class SubscriptionActionsService {
  constructor(
    private readonly invites: InstallLinksService,
    private readonly testers: TestersService,
    private readonly subscriptions: SubscriptionsService,
    private readonly channels: ChannelsService,
    private readonly projects: ProjectsService,
    private readonly transactions: Transactions,
  ) {}

  /** What a link's actions are about. @throws AppError not_found for a link that is nobody's own. */
  async look(ctx: RequestContext, token: string): Promise<InviteSubject> {
    const invite = await this.open(ctx, token);
    return this.subjectOf(ctx, invite, invite.channelId);
  }

  /**
   * Does what the holder of a link wishes, once for each link, however many ask at the same time.
   * @param channelId for a link that is not of one channel: which is meant. They can leave any, and come back to those they
   * left; a channel that they were never invited to is not theirs to join.
   * @throws AppError not_found
   */
  async act(
    ctx: RequestContext,
    token: string,
    action: InviteAction,
    channelId: string | null,
  ): Promise<InviteActionOutcome> {
    const invite = await this.open(ctx, token);
    const { id: inviteId, testerId } = invite;
    const channel = action === 'decline' ? null : (invite.channelId ?? channelId);
    const subject = await this.subjectOf(ctx, invite, channel);
    const tester = { ...ctx, identity: { kind: 'invite' as const, inviteId, testerId, channelId: invite.channelId } };
    return this.transactions.run(tester, async (tx) => {
      if (!(await this.invites.spend(tx, inviteId))) return { ...subject, done: false, returnUrl: null };
      if (action === 'subscribe') {
        if (channel !== null && invite.channelId === null) await this.requireAcquainted(tx, invite, channel);
        await this.subscriptions.join(tx, scopeOf(invite), testerId, channel);
        return { ...subject, done: true, returnUrl: null };
      }
      await this.subscriptions.leave(tx, scopeOf(invite), testerId, channel);
      // Leaving always works; only the way back has to wait.
      const returnUrl = (await this.invites.hasManyLinks(tx, testerId))
        ? null
        : await this.invites.createForTester(tx, scopeOf(invite), testerId, { channelId: channel });
      return { ...subject, done: true, returnUrl };
    });
  }

  private async open(ctx: RequestContext, token: string): Promise<TesterInstallLink> {
    const invite = await this.invites.resolve(ctx, token);
    if (invite?.kind === 'tester') return invite;
    throw new AppError('not_found', {
      message:
        'This link does not work, or it is of nobody in particular. Use the link of a mail that was sent to you.',
    });
  }

  private async subjectOf(
    ctx: RequestContext,
    invite: TesterInstallLink,
    channelId: string | null,
  ): Promise<InviteSubject> {
    const { name: project } = await this.projects.get(ctx, scopeOf(invite));
    if (channelId === null) return { project, channel: null };
    return { project, channel: (await this.channels.get(ctx, scopeOf(invite), channelId)).name };
  }

  private async requireAcquainted(ctx: RequestContext, invite: TesterInstallLink, channelId: string): Promise<void> {
    const { involvement } = await this.testers.get(ctx, scopeOf(invite), invite.testerId);
    const { subscribedTo, unsubscribedFrom } = involvement;
    if (![...subscribedTo, ...unsubscribedFrom].includes(channelId)) throw AppError.notFound('channel');
  }
}
