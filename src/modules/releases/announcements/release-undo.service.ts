import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelScope, scopeOf } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { ChannelsService } from '#modules/channels';
import { type Release, releaseFacts, type ReleaseWithBuild } from '../release';
import { ReleasesRepository } from '../releases.repository';
import { ReleasesService } from '../releases.service';
import { ANNOUNCE_AFTER_MS, RELEASE_ANNOUNCE } from './release-announce.job';
import { ReleaseMailsRepository } from './release-mails.repository';

/** An announcement to all subscribers has ended after this time, unless limits delay some of its mails. */
const ANNOUNCED_AFTER_MS = 5 * ANNOUNCE_AFTER_MS;

/** Takes a promotion back in the minute before its mails go out (docs/decisions/0078-a-minute-to-undo.md). */
@Injectable()
export class ReleaseUndoService {
  constructor(
    private readonly repository: ReleasesRepository,
    private readonly releases: ReleasesService,
    private readonly mails: ReleaseMailsRepository,
    private readonly channels: ChannelsService,
    private readonly jobs: Jobs,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /**
   * Deletes a release as if it had never been promoted: no mail about it is sent, and the release before it is current again, and announced
   * if the undone one kept it from being announced.
   * @returns the release of the platform that is current afterwards, null when there is none.
   * @throws AppError not_found; operation_not_allowed when another release replaced it, after a minute, when testers were reminded of it, and
   * when its mails went out.
   */
  async undo(ctx: RequestContext, channel: ChannelScope, id: string): Promise<ReleaseWithBuild | null> {
    return this.transactions.run(ctx, async (tx) => {
      const release = await this.lock(tx, channel, id);
      if (!release.current) throw notPossible('undo_replaced');
      const age = tx.clock.now().getTime() - release.promotedAt.getTime();
      if (age >= ANNOUNCE_AFTER_MS) throw notPossible('undo_expired');
      const mails = await this.mails.findFirst(tx, id);
      if (mails) throw notPossible(mails.isReminder ? 'undo_reminded' : 'undo_expired');
      await this.repository.delete(tx, release);
      const current = await this.releases.findCurrent(tx, channel, release.platform);
      if (current) await this.announceAgain(tx, current, release);
      await this.audit.record(tx, { type: 'release.undone', ...scopeOf(release), payload: releaseFacts(release) });
      return current;
    });
  }

  /** The second lock waits for a batch of mails that is being written. */
  private async lock(tx: RequestContext, channel: ChannelScope, id: string): Promise<Release> {
    await this.channels.lockReleases(tx, channel, channel.channelId);
    await this.repository.lock(tx, channel, id);
    const release = await this.repository.find(tx, channel, id);
    if (release?.channelId !== channel.channelId) throw AppError.notFound('release');
    return release;
  }

  /** Testers who got a mail about the release already get no second one. */
  private async announceAgain(tx: RequestContext, release: Release, undone: Release): Promise<void> {
    const promotedAt = release.promotedAt.getTime();
    if (!release.notify || promotedAt + ANNOUNCED_AFTER_MS < undone.promotedAt.getTime()) return;
    const announcement = { releaseId: release.id, scope: scopeOf(release), after: null };
    const runAt = new Date(Math.max(promotedAt + ANNOUNCE_AFTER_MS, tx.clock.now().getTime()));
    await this.jobs.enqueue(tx, RELEASE_ANNOUNCE, announcement, { runAt });
  }
}

const MESSAGES = {
  undo_reminded:
    'Testers were reminded of this release, so mails about it go out. Withdraw it: testers then get the one before it.',
  undo_replaced: 'Another release has replaced this one since. Undo that one, or withdraw this one.',
  undo_expired:
    'A promotion can be undone for a minute, before its mails go out. Withdraw the release: testers then get the one before it.',
};

const notPossible = (reason: keyof typeof MESSAGES): AppError =>
  new AppError('operation_not_allowed', { message: MESSAGES[reason], details: { reason } });
