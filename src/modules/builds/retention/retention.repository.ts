import { Injectable } from '@nestjs/common';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { inPage, pageParameters, type ShardPage } from '#infra/jobs/shards/shard';
import { LIVE } from '../catalogue/live-builds';
import { NO_RETENTION, type Retention, type RetentionRule } from './retention';

const PRIMARY_KEY = 'pk_retention';

/** The rules by which builds of a project are deleted. A project without a row keeps all builds. */
@Entity('retention')
@ForeignKey('ProjectEntity', ['organizationId', 'projectId'], ['organizationId', 'id'], {
  name: 'fk_retention_project',
  onDelete: 'CASCADE',
})
export class RetentionEntity {
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: PRIMARY_KEY })
  organizationId: string;

  @PrimaryColumn('uuid', { name: 'project_id', primaryKeyConstraintName: PRIMARY_KEY })
  projectId: string;

  @Column('boolean')
  enabled: boolean;

  @Column({ type: 'jsonb' })
  rules: RetentionRule[];

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}

/** A build whose deletion is announced. */
export interface ScheduledBuild {
  readonly id: string;
  readonly platform: string;
  readonly version: string;
  readonly buildNumber: string | null;
  readonly sizeBytes: string;
}

@Injectable()
export class RetentionRepository {
  constructor(private readonly transactions: Transactions) {}

  /** @param lock whether the rules stay as they are until the transaction ends. */
  async find(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    lock: 'lock' | 'no lock' = 'no lock',
  ): Promise<Retention> {
    const found = await one<Retention>(
      this.transactions.manager(ctx),
      `SELECT rules, enabled, updated_at AS "updatedAt" FROM retention
       WHERE organization_id = $1 AND project_id = $2 ${lock === 'lock' ? 'FOR SHARE' : ''}`,
      [organizationId, projectId],
    );
    return found ?? NO_RETENTION;
  }

  async set(
    tx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    { rules, enabled }: Pick<Retention, 'rules' | 'enabled'>,
  ): Promise<void> {
    await rows(
      this.transactions.manager(tx),
      `INSERT INTO retention (organization_id, project_id, enabled, rules, updated_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (organization_id, project_id)
       DO UPDATE SET enabled = EXCLUDED.enabled, rules = EXCLUDED.rules, updated_at = EXCLUDED.updated_at`,
      [organizationId, projectId, enabled, JSON.stringify(rules), tx.clock.now()],
    );
  }

  /** The organizations of a page with projects that have rules, in order. */
  async findOrganizations(ctx: RequestContext, page: ShardPage): Promise<readonly string[]> {
    const found = await rows<{ id: string }>(
      this.transactions.manager(ctx),
      `SELECT DISTINCT organization_id AS id FROM retention
       WHERE ($2::uuid IS NULL OR organization_id > $2::uuid) AND ${inPage('organization_id', 1)}
       ORDER BY organization_id LIMIT $3`,
      [...pageParameters(page), page.limit],
    );
    return found.map(({ id }) => id);
  }

  /** The projects of an organization that have rules, also those that are not enabled: announcements are then taken back. */
  async findProjects(ctx: RequestContext, organizationId: string): Promise<readonly string[]> {
    const found = await rows<{ id: string }>(
      this.transactions.manager(ctx),
      'SELECT project_id AS id FROM retention WHERE organization_id = $1 ORDER BY project_id',
      [organizationId],
    );
    return found.map(({ id }) => id);
  }

  /** The builds of the ids that are not announced yet, with the time of their deletion. Sets it. */
  schedule(
    tx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    ids: readonly string[],
    expiresAt: Date,
  ): Promise<ScheduledBuild[]> {
    return rows<ScheduledBuild>(
      this.transactions.manager(tx),
      `UPDATE build SET expires_at = $4
       WHERE organization_id = $1 AND project_id = $2 AND id = ANY ($3::uuid[]) AND expires_at IS NULL AND NOT pinned AND ${LIVE}
       RETURNING id, platform, version, build_number AS "buildNumber", size_bytes AS "sizeBytes"`,
      [organizationId, projectId, ids, expiresAt],
    );
  }

  /** Those of the builds whose announced time has come. */
  async findDue(ctx: RequestContext, ids: readonly string[]): Promise<readonly string[]> {
    const found = await rows<{ id: string }>(
      this.transactions.manager(ctx),
      `SELECT id FROM build WHERE id = ANY ($1::uuid[]) AND expires_at <= $2 AND ${LIVE} ORDER BY id`,
      [ids, ctx.clock.now()],
    );
    return found.map(({ id }) => id);
  }

  /** Ids of announced builds of a project, in their order, of a range. */
  async findScheduled(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    { after, until, limit }: { readonly after: string | null; readonly until: string | null; readonly limit: number },
  ): Promise<readonly string[]> {
    const found = await rows<{ id: string }>(
      this.transactions.manager(ctx),
      `SELECT id FROM build WHERE organization_id = $1 AND project_id = $2 AND expires_at IS NOT NULL AND ${LIVE}
         AND ($3::uuid IS NULL OR id > $3) AND ($4::uuid IS NULL OR id <= $4) ORDER BY id LIMIT $5`,
      [organizationId, projectId, after, until, limit],
    );
    return found.map(({ id }) => id);
  }

  /** Takes announcements back. */
  async unschedule(tx: RequestContext, ids: readonly string[]): Promise<void> {
    const statement = 'UPDATE build SET expires_at = NULL WHERE id = ANY ($1::uuid[]) AND expires_at IS NOT NULL';
    await rows(this.transactions.manager(tx), statement, [ids]);
  }
}
