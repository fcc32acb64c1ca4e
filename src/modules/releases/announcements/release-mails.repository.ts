import { Injectable } from '@nestjs/common';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelScope, channelScopeOf } from '#kernel/context/scope';
import { changed, deleteInBatches, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type ReleaseMails } from '../release';

const PRIMARY_KEY = 'pk_release_mail';
const OF_THE_PROJECT: [string, string, string] = ['organizationId', 'projectId', 'id'];

/** A mail to a tester about a release, waiting or queued. Marked as queued in the transaction that queues the mail. */
@Entity('release_mail')
@Index('ix_release_mail_tester', ['testerId'])
@Index('ix_release_mail_due', ['dueAt'], { where: 'queued_at IS NULL' })
@Index('ix_release_mail_reminded', ['releaseId', 'remindedAt'], { where: 'reminded_at IS NOT NULL' })
@Index('ix_release_mail_reminder_due', ['reminderDueAt'], { where: 'reminder_due_at IS NOT NULL' })
@ForeignKey('ReleaseEntity', ['organizationId', 'projectId', 'releaseId'], OF_THE_PROJECT, {
  name: 'fk_release_mail_release',
  onDelete: 'CASCADE',
})
@ForeignKey('TesterEntity', ['organizationId', 'projectId', 'testerId'], OF_THE_PROJECT, {
  name: 'fk_release_mail_tester',
  onDelete: 'CASCADE',
})
export class ReleaseMailEntity {
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('uuid', { name: 'release_id', primaryKeyConstraintName: PRIMARY_KEY })
  releaseId: string;

  @PrimaryColumn('uuid', { name: 'tester_id', primaryKeyConstraintName: PRIMARY_KEY })
  testerId: string;

  /** Null while the mail waits. */
  @Column({ type: 'timestamptz', name: 'queued_at', precision: 3, nullable: true })
  queuedAt: Date | null;

  /** When a waiting mail is tried again. */
  @Column({ type: 'timestamptz', name: 'due_at', precision: 3, nullable: true })
  dueAt: Date | null;

  /** When the mail server refused the mail for good, null otherwise. */
  @Column({ type: 'timestamptz', name: 'failed_at', precision: 3, nullable: true })
  failedAt: Date | null;

  /** When a reminder of the release to the tester was last requested, null before. */
  @Column({ type: 'timestamptz', name: 'reminded_at', precision: 3, nullable: true })
  remindedAt: Date | null;

  /** When a waiting reminder is tried again, null while none waits. A tester without a mail about the release waits for that instead. */
  @Column({ type: 'timestamptz', name: 'reminder_due_at', precision: 3, nullable: true })
  reminderDueAt: Date | null;
}

/** A mail to a tester about a release, or a reminder, that was not queued yet. */
export interface WaitingMail {
  readonly releaseId: string;
  readonly testerId: string;
  readonly platform: Platform;
  /** Whether the release is still current. */
  readonly current: boolean;
  /** Whether the tester was mailed about the release before. */
  readonly isReminder: boolean;
}

type Mail = Pick<WaitingMail, 'releaseId' | 'testerId'>;

/** A mail about releases that is in the queue. */
interface QueuedMail {
  readonly testerId: string;
  readonly releaseIds: readonly string[];
  /** When it was queued; null when that is not known. */
  readonly queuedAt: string | null;
}

/** Whether the mail about a release was queued no later than a time ($3). A mail that is queued again has a later time. */
const QUEUED_BEFORE = `m.queued_at <= coalesce($3::timestamptz, 'infinity')`;

/** Testers of one channel whose mails are due. */
interface DueBatch {
  readonly channel: ChannelScope;
  readonly testerIds: readonly string[];
}

/** The number of rows that one search for due mails reads. */
const DUE_ROWS = 200;

/** The rows that wait: for the first mail about the release, or for a reminder. */
const WAITS = '(queued_at IS NULL OR reminder_due_at IS NOT NULL)';

@Injectable()
export class ReleaseMailsRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Adds a waiting mail for each pair of release and tester that has no mail yet. The transaction has locked the testers. Waits for a
   * transaction that deletes one of the releases, and skips the release then.
   */
  async add(ctx: RequestContext, releaseIds: readonly string[], testerIds: readonly string[]): Promise<void> {
    await rows(
      this.transactions.manager(ctx),
      `INSERT INTO release_mail (organization_id, project_id, release_id, tester_id, due_at)
       SELECT r.organization_id, r.project_id, r.id, t.id, $3 FROM release r CROSS JOIN unnest($2::uuid[]) AS t (id)
       WHERE r.id = ANY ($1::uuid[]) AND r.deleted_at IS NULL FOR KEY SHARE OF r
       ON CONFLICT DO NOTHING`,
      [releaseIds, testerIds, ctx.clock.now()],
    );
  }

  /** A mail about the release that was written, waiting or queued, first one that a reminder requested; null when there is none. */
  findFirst(ctx: RequestContext, releaseId: string): Promise<{ readonly isReminder: boolean } | null> {
    return one(
      this.transactions.manager(ctx),
      `SELECT reminded_at IS NOT NULL AS "isReminder" FROM release_mail WHERE release_id = $1
       ORDER BY reminded_at IS NULL LIMIT 1`,
      [releaseId],
    );
  }

  /**
   * Adds a reminder that is due to the testers of the list who were not reminded of the release since `before`. A tester who was not mailed
   * about the release gets the mail about it instead. The transaction has locked the testers.
   * @returns the testers to whom it was added.
   */
  async remind(
    ctx: RequestContext,
    releaseId: string,
    testerIds: readonly string[],
    before: Date,
  ): Promise<readonly string[]> {
    if (testerIds.length === 0) return [];
    const reminded = await rows<{ id: string }>(
      this.transactions.manager(ctx),
      `INSERT INTO release_mail AS m (organization_id, project_id, release_id, tester_id, due_at, reminded_at)
       SELECT r.organization_id, r.project_id, r.id, t.id, $3, $3
       FROM release r CROSS JOIN unnest($2::uuid[]) AS t (id)
       WHERE r.id = $1 AND r.deleted_at IS NULL ORDER BY t.id FOR KEY SHARE OF r
       ON CONFLICT (release_id, tester_id) DO UPDATE SET reminded_at = EXCLUDED.reminded_at,
         reminder_due_at = CASE WHEN m.queued_at IS NOT NULL THEN EXCLUDED.due_at END
       WHERE m.reminded_at IS NULL OR m.reminded_at <= $4
       RETURNING m.tester_id AS id`,
      [releaseId, testerIds, ctx.clock.now(), before],
    );
    return reminded.map(({ id }) => id);
  }

  /** The mails about releases, by release. Releases without mails are omitted. */
  async count(ctx: RequestContext, releaseIds: readonly string[]): Promise<ReadonlyMap<string, ReleaseMails>> {
    if (releaseIds.length === 0) return new Map();
    const counts = await rows<ReleaseMails & { readonly releaseId: string }>(
      this.transactions.manager(ctx),
      `SELECT release_id AS "releaseId", count(*) FILTER (WHERE queued_at IS NOT NULL AND failed_at IS NULL)::int AS queued,
              (count(*) - count(queued_at))::int AS waiting, count(failed_at)::int AS failed
       FROM release_mail WHERE release_id = ANY ($1::uuid[]) GROUP BY release_id`,
      [releaseIds],
    );
    return new Map(counts.map(({ releaseId, ...mails }) => [releaseId, mails]));
  }

  /** The waiting mails and reminders of testers about the releases of a channel. */
  listWaiting(ctx: RequestContext, channelId: string, testerIds: readonly string[]): Promise<readonly WaitingMail[]> {
    return rows<WaitingMail>(
      this.transactions.manager(ctx),
      `SELECT m.release_id AS "releaseId", m.tester_id AS "testerId", r.platform,
              EXISTS (SELECT FROM current_release c WHERE c.release_id = r.id) AS current,
              m.queued_at IS NOT NULL AS "isReminder"
       FROM release_mail m JOIN release r ON r.id = m.release_id
       WHERE r.channel_id = $1 AND m.tester_id = ANY ($2::uuid[]) AND ${WAITS}`,
      [channelId, testerIds],
    );
  }

  async markQueued(ctx: RequestContext, mails: readonly Mail[]): Promise<void> {
    await this.change(
      ctx,
      `UPDATE release_mail SET queued_at = coalesce(queued_at, $3), due_at = NULL, reminder_due_at = NULL, failed_at = NULL
       WHERE ${WAITS}`,
      mails,
      ctx.clock.now(),
    );
  }

  /** Records that the queued mails about releases to a tester failed. */
  async markFailed(ctx: RequestContext, testerId: string, releaseIds: readonly string[]): Promise<void> {
    await changed(
      this.transactions.manager(ctx),
      `UPDATE release_mail SET failed_at = $3 WHERE tester_id = $1 AND release_id = ANY ($2::uuid[]) AND queued_at IS NOT NULL`,
      [testerId, releaseIds, ctx.clock.now()],
    );
  }

  /** Whether one of the releases is current, and this mail about it is queued: it is not waiting, and was not queued again. */
  async areQueuedAndCurrent(ctx: RequestContext, { testerId, releaseIds, queuedAt }: QueuedMail): Promise<boolean> {
    const found = await rows(
      this.transactions.manager(ctx),
      `SELECT FROM release_mail m JOIN current_release c ON c.release_id = m.release_id
       WHERE m.tester_id = $1 AND m.release_id = ANY ($2::uuid[]) AND ${QUEUED_BEFORE} LIMIT 1`,
      [testerId, releaseIds, queuedAt],
    );
    return found.length > 0;
  }

  /** Turns a queued mail into waiting ones. Reminders stay as they are, and mails that were queued again. */
  async returnToWaiting(
    ctx: RequestContext,
    { testerId, releaseIds, queuedAt }: QueuedMail,
    dueAt: Date,
  ): Promise<void> {
    await changed(
      this.transactions.manager(ctx),
      `UPDATE release_mail AS m SET queued_at = NULL, due_at = $4
       WHERE m.tester_id = $1 AND m.release_id = ANY ($2::uuid[]) AND ${QUEUED_BEFORE} AND m.reminded_at IS NULL`,
      [testerId, releaseIds, queuedAt, dueAt],
    );
  }

  async delete(ctx: RequestContext, mails: readonly Mail[]): Promise<void> {
    await this.change(ctx, `DELETE FROM release_mail WHERE queued_at IS NULL`, mails);
    await this.change(ctx, `UPDATE release_mail SET reminder_due_at = NULL WHERE reminder_due_at IS NOT NULL`, mails);
  }

  async postpone(ctx: RequestContext, mails: readonly (Mail & { readonly dueAt: Date })[]): Promise<void> {
    if (mails.length === 0) return;
    await changed(
      this.transactions.manager(ctx),
      `UPDATE release_mail AS m SET due_at = CASE WHEN m.queued_at IS NULL THEN p.due_at END,
         reminder_due_at = CASE WHEN m.queued_at IS NOT NULL THEN p.due_at END
       FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS p (release_id, tester_id, due_at)
       WHERE m.release_id = p.release_id AND m.tester_id = p.tester_id AND ${WAITS}`,
      [...pairsOf(mails), mails.map(({ dueAt }) => dueAt)],
    );
  }

  /** Deletes the mails about releases that another release replaced 30 days ago. */
  async prune(ctx: RequestContext): Promise<void> {
    const manager = this.transactions.manager(ctx);
    const outdated = await rows<{ id: string }>(
      manager,
      `SELECT id FROM release r WHERE EXISTS (SELECT FROM release_mail m WHERE m.release_id = r.id) AND EXISTS (
         SELECT FROM release n WHERE n.channel_id = r.channel_id AND n.platform = r.platform AND n.sequence > r.sequence
           AND n.promoted_at < (SELECT app_now() - interval '30 days'))`,
    );
    for (const { id } of outdated) await deleteInBatches(manager, 'release_mail', 'release_id = $1', [id]);
  }

  /** The testers of one channel whose mails or reminders are due, longest due first; null when none is. */
  async nextDue(ctx: RequestContext): Promise<DueBatch | null> {
    const due = await rows<ChannelScope & { readonly testerId: string }>(
      this.transactions.manager(ctx),
      `SELECT r.organization_id AS "organizationId", r.project_id AS "projectId", r.channel_id AS "channelId",
              m.tester_id AS "testerId"
       FROM (
         (SELECT release_id, tester_id, due_at FROM release_mail
          WHERE queued_at IS NULL AND due_at <= $1 ORDER BY due_at LIMIT ${DUE_ROWS})
         UNION ALL
         (SELECT release_id, tester_id, reminder_due_at FROM release_mail
          WHERE reminder_due_at <= $1 ORDER BY reminder_due_at LIMIT ${DUE_ROWS})
       ) m JOIN release r ON r.id = m.release_id ORDER BY m.due_at LIMIT ${DUE_ROWS}`,
      [ctx.clock.now()],
    );
    const [first] = due;
    if (!first) return null;
    const ofChannel = due.filter(({ channelId }) => channelId === first.channelId);
    return { channel: channelScopeOf(first), testerIds: [...new Set(ofChannel.map(({ testerId }) => testerId))] };
  }

  private async change(ctx: RequestContext, change: string, mails: readonly Mail[], ...more: unknown[]): Promise<void> {
    if (mails.length === 0) return;
    const pairs = 'SELECT * FROM unnest($1::uuid[], $2::uuid[])';
    await changed(this.transactions.manager(ctx), `${change} AND (release_id, tester_id) IN (${pairs})`, [
      ...pairsOf(mails),
      ...more,
    ]);
  }
}

const pairsOf = (mails: readonly Mail[]): readonly [releaseIds: string[], testerIds: string[]] => [
  mails.map(({ releaseId }) => releaseId),
  mails.map(({ testerId }) => testerId),
];
