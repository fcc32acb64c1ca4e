import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { scopeOf } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { Transactions } from '#infra/database/transactions';
import { ChannelsService } from '#modules/channels';
import { InstallLinksService, type TesterInstallLink } from '#modules/install-links';
import { ProjectsService } from '#modules/projects';
import { TesterOpeningsService } from '../activity/tester-openings.service';
import { SubscriptionsService } from '../subscriptions/subscriptions.service';
import { TestersService } from '../testers.service';
import { contextOfTesterLink, requireTesterLink } from './tester-link';

/** The changes that a tester can make through their own link. */
export type SubscriptionAction = 'subscribe' | 'unsubscribe' | 'decline';

/** The names of the objects that an action changes. */
export interface SubscriptionSubject {
  readonly project: string;
  /** `null` for the whole project. */
  readonly channel: string | null;
}

export interface SubscriptionOutcome extends SubscriptionSubject {
  /** False when the link was used before: then nothing was changed. */
  readonly done: boolean;
  /** A new link to undo an `unsubscribe` or `decline`. `null` otherwise, and when the tester reached the hourly limit of links. */
  readonly returnUrl: string | null;
}

/** The changes that testers make through their own links. Each link makes one change. */
@Injectable()
export class SubscriptionActionsService {
  constructor(
    private readonly installLinks: InstallLinksService,
    private readonly testers: TestersService,
    private readonly subscriptions: SubscriptionsService,
    private readonly channels: ChannelsService,
    private readonly projects: ProjectsService,
    private readonly openings: TesterOpeningsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * The objects that the actions of a link change. Changes no subscription.
   * @throws AppError not_found for a link that belongs to no tester.
   */
  async describe(ctx: RequestContext, token: string): Promise<SubscriptionSubject> {
    const link = await requireTesterLink(this.installLinks, ctx, token);
    return this.subjectOf(ctx, link, link.channelId);
  }

  /**
   * Makes the one change of a link. Of concurrent calls with one link, one makes the change.
   * @param channelId the channel, for a link that names no channel. A tester can unsubscribe from any channel, but can subscribe
   * only to channels that they are or were subscribed to.
   * @throws AppError not_found
   */
  async apply(
    ctx: RequestContext,
    token: string,
    action: SubscriptionAction,
    channelId: string | null,
  ): Promise<SubscriptionOutcome> {
    const link = await requireTesterLink(this.installLinks, ctx, token);
    const { id: inviteId, testerId } = link;
    const channel = action === 'decline' ? null : (link.channelId ?? channelId);
    const subject = await this.subjectOf(ctx, link, channel);
    return this.transactions.run(contextOfTesterLink(ctx, link), async (tx) => {
      if (!(await this.installLinks.markUsed(tx, inviteId))) return { ...subject, done: false, returnUrl: null };
      await this.openings.recordIn(tx, link);
      if (action === 'subscribe') {
        if (channel !== null && link.channelId === null) await this.requireKnownChannel(tx, link, channel);
        await this.subscriptions.subscribe(tx, scopeOf(link), testerId, channel);
        return { ...subject, done: true, returnUrl: null };
      }
      await this.subscriptions.unsubscribe(tx, scopeOf(link), testerId, channel);
      // Unsubscribing always works. Only the link to undo it is limited.
      const returnUrl = (await this.installLinks.hasReachedHourlyLimit(tx, testerId))
        ? null
        : await this.installLinks.createForTester(tx, scopeOf(link), testerId, { channelId: channel });
      return { ...subject, done: true, returnUrl };
    });
  }

  private async subjectOf(
    ctx: RequestContext,
    link: TesterInstallLink,
    channelId: string | null,
  ): Promise<SubscriptionSubject> {
    const { name: project } = await this.projects.get(ctx, scopeOf(link));
    if (channelId === null) return { project, channel: null };
    return { project, channel: (await this.channels.get(ctx, scopeOf(link), channelId)).name };
  }

  /** @throws AppError not_found for a channel that the tester never subscribed to. */
  private async requireKnownChannel(ctx: RequestContext, link: TesterInstallLink, channelId: string): Promise<void> {
    const { subscriptions } = await this.testers.get(ctx, scopeOf(link), link.testerId);
    const { subscribedTo, unsubscribedFrom } = subscriptions;
    if (![...subscribedTo, ...unsubscribedFrom].includes(channelId)) throw AppError.notFound('channel');
  }
}
