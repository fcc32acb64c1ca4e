import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { lacksBuild, ReleaseRecipientsService } from '#modules/testers';
import { ReleaseMailsRepository } from '../announcements/release-mails.repository';
import { type Release, releaseFacts } from '../release';
import { ReleasesRepository } from '../releases.repository';
import { type AudienceMember, AudienceViews } from './audience-views';

/** Why a tester is not reminded. */
export const SKIP_REASONS = [
  'has_it',
  'has_newer',
  'bounced',
  'left',
  'reminded_recently',
  'not_in_audience',
  'unopened',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

interface Skipped {
  readonly testerId: string;
  readonly reason: SkipReason;
}

export interface Reminders {
  /** The number of testers who are reminded. */
  readonly queued: number;
  /** At most `MAX_SKIPPED`. */
  readonly skipped: readonly Skipped[];
}

/** A tester is reminded of a release once within this time. */
const PAUSE_MS = 24 * 3_600_000;
/** Testers per statement. */
const BATCH_SIZE = 5_000;
export const MAX_SKIPPED = 1_000;

/**
 * Reminds testers of the current release of their channel. A reminder is a mail about the release that waits to be sent, so the limits
 * of these mails apply, and it is dropped when the tester installs the build or a newer one, or another release replaces this one.
 */
@Injectable()
export class ReleaseRemindersService {
  constructor(
    private readonly releases: ReleasesRepository,
    private readonly audience: AudienceViews,
    private readonly recipients: ReleaseRecipientsService,
    private readonly mails: ReleaseMailsRepository,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /**
   * @param release its id, and its channel if the caller knows it.
   * @param testerIds the testers to remind; null for all who lack the build: have neither it nor a newer one.
   * @throws AppError not_found; not_current when another release replaced it.
   */
  async remind(
    ctx: RequestContext,
    scope: ProjectScope,
    { id, channelId }: { readonly id: string; readonly channelId: string | null },
    testerIds: readonly string[] | null,
  ): Promise<Reminders> {
    return this.transactions.run(ctx, async (tx) => {
      const release = await this.releases.find(tx, scope, id);
      if (!release || (channelId !== null && release.channelId !== channelId)) throw AppError.notFound('release');
      if (!release.current) throw notCurrent();
      const outcome =
        testerIds === null ? await this.remindAll(tx, release) : await this.remindSome(tx, release, testerIds);
      if (outcome.queued > 0) {
        const payload = { ...releaseFacts(release), queued: outcome.queued };
        await this.audit.record(tx, { type: 'release.reminded', ...scopeOf(release), payload });
      }
      return outcome;
    });
  }

  private async remindSome(tx: RequestContext, release: Release, testerIds: readonly string[]): Promise<Reminders> {
    const members = await this.audience.findAmong(tx, release, release.id, testerIds);
    const known = new Set(members.map(({ id }) => id));
    const others = testerIds.filter((id) => !known.has(id));
    const left = await this.recipients.findLeft(tx, release, others);
    const outcome = await this.add(tx, release, members);
    const reasons = new Map(outcome.skipped.map(({ testerId, reason }) => [testerId, reason]));
    for (const id of others) reasons.set(id, left.has(id) ? 'left' : 'not_in_audience');
    return {
      queued: outcome.queued,
      skipped: testerIds.flatMap((testerId) => {
        const reason = reasons.get(testerId);
        return reason ? [{ testerId, reason }] : [];
      }),
    };
  }

  private async remindAll(tx: RequestContext, release: Release): Promise<Reminders> {
    const skipped: Skipped[] = [];
    let queued = 0;
    let after: string | null = null;
    for (;;) {
      const ids: readonly string[] = await this.recipients.listIds(tx, release.channelId, { after, limit: BATCH_SIZE });
      const members = await this.audience.findAmong(tx, release, release.id, ids);
      const outcome = await this.add(
        tx,
        release,
        members.filter(({ step }) => lacksBuild(step)),
      );
      queued += outcome.queued;
      skipped.push(...outcome.skipped.slice(0, MAX_SKIPPED - skipped.length));
      if (ids.length < BATCH_SIZE) return { queued, skipped };
      after = ids.at(-1) ?? null;
    }
  }

  /** Adds the reminders of those members who may be mailed. */
  private async add(tx: RequestContext, release: Release, members: readonly AudienceMember[]): Promise<Reminders> {
    const reasonOf = new Map(members.map((member) => [member.id, refusalOf(member)]));
    const wanted = members.map(({ id }) => id).filter((id) => reasonOf.get(id) === null);
    const before = new Date(tx.clock.now().getTime() - PAUSE_MS);
    const kept = await this.recipients.keep(tx, wanted);
    const reminded = new Set(await this.mails.remind(tx, release.id, kept, before));
    return {
      queued: reminded.size,
      skipped: members
        .filter(({ id }) => !reminded.has(id))
        .map(({ id }) => ({ testerId: id, reason: reasonOf.get(id) ?? 'reminded_recently' })),
    };
  }
}

function refusalOf({ step, hasEnoughUnopened }: AudienceMember): SkipReason | null {
  if (step === 'has_it' || step === 'has_newer' || step === 'bounced') return step;
  return hasEnoughUnopened ? 'unopened' : null;
}

const notCurrent = (): AppError =>
  new AppError('not_current', {
    message: 'Another release replaced this one. Remind of the current release of the channel.',
    details: { reason: 'not_current' },
  });
