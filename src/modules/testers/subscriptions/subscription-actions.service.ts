import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { scopeOf } from '#kernel/context/scope';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { Transactions } from '#infra/database/transactions';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { ChannelsService } from '#modules/channels';
import { InstallLinksService, type TesterInstallLink } from '#modules/install-links';
import { ProjectsService } from '#modules/projects';
import { TesterOpeningsService } from '../activity/tester-activity.service';
import { TestersService } from '../testers.service';
import { TestersRepository } from '../testers.repository';
import { SubscriptionsService } from './subscriptions.service';

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

/** A changed choice. An empty list stands for all platforms. */
export interface MailPlatformsChange {
  readonly project: string;
  readonly before: readonly Platform[];
  readonly after: readonly Platform[];
}

/** The testers' choice, through their own links, of the platforms for which they get release mails. */
@Injectable()
export class MailPlatformsService {
  constructor(
    private readonly installLinks: InstallLinksService,
    private readonly testers: TestersRepository,
    private readonly projects: ProjectsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /**
   * Replaces the choice of the link's tester. It can be repeated with the same link, because the choice replaces itself and the tester
   * must be able to undo it.
   * @param platforms none or all platforms stand for all, also for platforms that are added later.
   * @throws AppError not_found
   */
  async choose(ctx: RequestContext, token: string, platforms: readonly Platform[]): Promise<MailPlatformsChange> {
    const link = await requireTesterLink(this.installLinks, ctx, token);
    const scope = scopeOf(link);
    const chosen = PLATFORMS.filter((platform) => platforms.includes(platform));
    const after = chosen.length === PLATFORMS.length ? [] : chosen;
    return this.transactions.run(contextOfTesterLink(ctx, link), async (tx) => {
      const { name: project } = await this.projects.get(tx, scope);
      const tester = await this.testers.lock(tx, scope, link.testerId);
      if (!tester) throw AppError.notFound('tester');
      const before = tester.mailPlatforms;
      if (before.join() === after.join()) return { project, before, after };
      await this.testers.setMailPlatforms(tx, scope, tester.id, after);
      const payload = { tester_id: tester.id, platforms: after.length === 0 ? PLATFORMS : after };
      await this.audit.record(tx, { type: 'tester.platforms_chosen', ...scope, payload });
      return { project, before, after };
    });
  }
}

/** The link of a token. @throws AppError not_found for a link that does not work or belongs to no tester. */
async function requireTesterLink(
  installLinks: InstallLinksService,
  ctx: RequestContext,
  token: string,
): Promise<TesterInstallLink> {
  const link = await installLinks.resolve(ctx, token);
  if (link?.kind === 'tester') return link;
  throw new AppError('not_found', {
    message: 'This link does not work, or it is not personal. Use the link of a mail that was sent to you.',
  });
}

/** The context of a request whose credential is the link. */
const contextOfTesterLink = (
  ctx: RequestContext,
  { id: inviteId, testerId, channelId }: TesterInstallLink,
): RequestContext => ({ ...ctx, identity: { kind: 'invite', inviteId, testerId, channelId } });
