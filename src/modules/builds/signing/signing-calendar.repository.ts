import { Injectable } from '@nestjs/common';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ANNOUNCED_DAYS } from '#kernel/builds/signing-end';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { changed, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { inPage, pageParameters, type ShardPage } from '#infra/jobs/shards/shard';

const PRIMARY_KEY = 'pk_signing_calendar';

/** Until when the ends of the signatures of a project's builds were announced. Projects without signed builds have no row. */
@Entity('signing_calendar')
@ForeignKey('ProjectEntity', ['organizationId', 'projectId'], ['organizationId', 'id'], {
  name: 'fk_signing_calendar_project',
  onDelete: 'CASCADE',
})
export class SigningCalendarEntity {
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: PRIMARY_KEY })
  organizationId: string;

  @PrimaryColumn('uuid', { name: 'project_id', primaryKeyConstraintName: PRIMARY_KEY })
  projectId: string;

  @Column({ type: 'timestamptz', name: 'announced_until', precision: 3 })
  announcedUntil: Date;
}

/**
 * SQL of `signingEndOf(…).at` as text in the format of `Date.toISOString`, null for artifacts without an end. Texts of this format are in the
 * order of their times. Has an index by organization and project, `ix_build_signing_end`.
 */
export const SIGNING_ENDS_AT = `(least(artifact->'signing'->>'expiresAt', artifact->'signing'->>'certificateExpiresAt') COLLATE "C")`;

/** A calendar begins this long before its first run, which is then like every other daily run. */
const FIRST_RUN_MS = 24 * 3_600_000;

/** The order of `ix_build_signing_end`, which no other index has: one without the end would read all builds of other platforms. */
const IN_ORDER = `${SIGNING_ENDS_AT} IS NOT NULL ORDER BY organization_id, project_id, ${SIGNING_ENDS_AT} LIMIT 1`;

/**
 * The values of a column of `build` that rows with a signed build have. Each row of the result reads one entry of the index, also in a
 * database with millions of builds.
 */
const signed = (column: string, where: string): string => `
  signed AS (
    (SELECT ${column} AS id FROM build WHERE ${where} AND ${IN_ORDER})
    UNION ALL
    SELECT (SELECT ${column} FROM build WHERE ${where} AND ${column} > signed.id AND ${IN_ORDER})
    FROM signed WHERE signed.id IS NOT NULL)`;

const textOf = (time: string): string => `to_char((${time}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const ENDS_OF_B = SIGNING_ENDS_AT.replaceAll('artifact', 'b.artifact');

/**
 * Whether a build of the calendar's project has an end to announce: the ranges of `endsToAnnounce`. It is no EXISTS, which would ignore the
 * order, and then read all builds of the project.
 */
const HAS_ENDS = `(
  SELECT true FROM unnest($3::int[]) AS announced (days) CROSS JOIN LATERAL (
    SELECT FROM build b WHERE b.organization_id = c.organization_id AND b.project_id = c.project_id
      AND ${ENDS_OF_B} > ${textOf("c.announced_until + days * interval '24 hours'")}
      AND ${ENDS_OF_B} <= ${textOf("$2::timestamptz + days * interval '24 hours'")}
    ORDER BY b.organization_id, b.project_id, ${ENDS_OF_B} LIMIT 1) AS found
  LIMIT 1)`;

@Injectable()
export class SigningCalendarRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The organizations of a page that have signed builds, in order. */
  async findOrganizations(ctx: RequestContext, page: ShardPage): Promise<readonly string[]> {
    const found = await rows<{ id: string }>(
      this.transactions.manager(ctx),
      `WITH RECURSIVE ${signed('organization_id', '($2::uuid IS NULL OR organization_id > $2::uuid)')}
       SELECT id FROM signed WHERE id IS NOT NULL AND ${inPage('id', 1)} LIMIT $3`,
      [...pageParameters(page), page.limit],
    );
    return found.map(({ id }) => id);
  }

  /**
   * The projects of an organization that have ends to announce. The calendars of its other projects are set to the present time, and those of
   * projects with their first signed build begin.
   */
  async findDue(ctx: RequestContext, organizationId: string): Promise<readonly string[]> {
    const now = ctx.clock.now();
    const manager = this.transactions.manager(ctx);
    await rows(
      manager,
      `WITH RECURSIVE ${signed('project_id', 'organization_id = $1')}
       INSERT INTO signing_calendar (organization_id, project_id, announced_until)
       SELECT $1, id, $2::timestamptz FROM signed WHERE id IS NOT NULL ON CONFLICT DO NOTHING`,
      [organizationId, new Date(now.getTime() - FIRST_RUN_MS)],
    );
    await changed(
      manager,
      `UPDATE signing_calendar c SET announced_until = $2
       WHERE organization_id = $1 AND announced_until < $2 AND ${HAS_ENDS} IS NOT TRUE`,
      [organizationId, now, [...ANNOUNCED_DAYS, 0]],
    );
    const due = await rows<{ id: string }>(
      manager,
      `SELECT project_id AS id FROM signing_calendar WHERE organization_id = $1 AND announced_until < $2 ORDER BY project_id`,
      [organizationId, now],
    );
    return due.map(({ id }) => id);
  }

  /**
   * Sets the calendar of a project to the present time, and locks it until the transaction ends, so that of concurrent runs one announces.
   * @returns the time before. Null when another run was faster, and when the project was deleted.
   */
  async advance(tx: RequestContext, { organizationId, projectId }: ProjectScope): Promise<Date | null> {
    const now = tx.clock.now();
    const manager = this.transactions.manager(tx);
    const calendar = await one<{ announcedUntil: Date }>(
      manager,
      `SELECT announced_until AS "announcedUntil" FROM signing_calendar
       WHERE organization_id = $1 AND project_id = $2 AND announced_until < $3 FOR UPDATE`,
      [organizationId, projectId, now],
    );
    if (!calendar) return null;
    await changed(
      manager,
      `UPDATE signing_calendar SET announced_until = $3 WHERE organization_id = $1 AND project_id = $2`,
      [organizationId, projectId, now],
    );
    return calendar.announcedUntil;
  }
}
