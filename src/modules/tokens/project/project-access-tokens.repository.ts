import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type ProjectRole } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { columnsOf, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { Logger } from '#infra/logging/logger';
import { AccessTokenEntity } from '../lifetime/access-token.entity';
import { AccessTokensRepository } from '../lifetime/access-tokens.repository';
import { isUnexpired } from '../lifetime/token-expiry';

const DAY_MS = 86_400_000;

/** A credential for CI, owned by a project. */
@Entity('project_access_token')
@Unique('uq_project_access_token_digest', ['digest'])
@Unique('uq_project_access_token_previous', ['previousDigest'])
@Check('ck_project_access_token_previous', '(previous_digest IS NULL) = (previous_until IS NULL)')
@Index('ix_project_access_token_project', ['projectId', 'id'])
@Index('ix_project_access_token_organization', ['organizationId', 'id'])
@Index('ix_project_access_token_expires', ['expiresAt'], { where: 'expires_at IS NOT NULL' })
@Index('ix_project_access_token_creator', ['createdBy'])
@Index('ix_project_access_token_rotator', ['rotatedBy'])
@ForeignKey('ProjectEntity', ['organizationId', 'projectId'], ['organizationId', 'id'], {
  name: 'fk_project_access_token_project',
  onDelete: 'CASCADE',
})
export class ProjectAccessTokenEntity extends AccessTokenEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_project_access_token' })
  id: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('text')
  role: ProjectRole;

  /** The digest of the value before the last rotation, which is valid until `previousUntil`. */
  @Column({ type: 'bytea', name: 'previous_digest', nullable: true })
  previousDigest: Buffer | null;

  @Column({ type: 'timestamptz', name: 'previous_until', precision: 3, nullable: true })
  previousUntil: Date | null;

  @ForeignKey('DeveloperEntity', { name: 'fk_project_access_token_creator', onDelete: 'SET NULL' })
  @Column('uuid', { name: 'created_by', nullable: true })
  createdBy: string | null;

  /** The developer who last rotated it. The id stays after their account is deleted. `null` when it was never rotated. */
  @Column('uuid', { name: 'rotated_by', nullable: true })
  rotatedBy: string | null;
}

/** Absent fields do not filter. */
export interface OrganizationTokenFilter {
  /** Only tokens that were neither used nor created in these days. */
  readonly unusedDays?: number | undefined;
  readonly last4?: string | undefined;
}

/** The new value of a token, and until when the present value stays valid. `previousUntil` is null when it stops working immediately. */
type TokenValue = Pick<ProjectAccessTokenEntity, 'digest' | 'last4' | 'previousUntil' | 'rotatedBy'>;

/**
 * Valid tokens ($3: now) of an organization ($1) whose current value, or previous value during the overlap of a rotation, was shown to a
 * developer ($2).
 */
const RECEIVED = `organization_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)
  AND (rotated_by = $2 OR created_by = $2 AND (rotated_by IS NULL OR previous_until > $3))`;

@Injectable()
export class ProjectAccessTokensRepository extends AccessTokensRepository<ProjectAccessTokenEntity, ProjectScope> {
  constructor(transactions: Transactions, logger: Logger) {
    super(transactions, logger, ProjectAccessTokenEntity);
  }

  /**
   * Counts the project's valid tokens. The lock lasts until the transaction ends, so concurrent creations cannot exceed a
   * quota.
   */
  async lockAndCount(ctx: RequestContext, scope: ProjectScope): Promise<number> {
    await this.transactions.advisoryLock(ctx, `project-access-tokens|${scope.projectId}`);
    return this.count(ctx, scope);
  }

  /** Counts the project's valid tokens. */
  count(ctx: RequestContext, { projectId }: ProjectScope): Promise<number> {
    return this.countValid(ctx, { projectId });
  }

  list(ctx: RequestContext, scope: ProjectScope, page: PageRequest): Promise<Page<ProjectAccessTokenEntity>> {
    return this.pageOf(ctx, scope, page, `project-access-tokens|${scope.projectId}`);
  }

  /** The unrevoked tokens of all projects, newest first. */
  async listOfOrganization(
    ctx: RequestContext,
    organizationId: string,
    { unusedDays, last4 }: OrganizationTokenFilter,
    { limit, cursor }: PageRequest,
  ): Promise<Page<ProjectAccessTokenEntity>> {
    const list: ListName = `organization-tokens|${organizationId}|${unusedDays ?? ''}|${last4 ?? ''}`;
    const unusedSince = unusedDays === undefined ? null : new Date(ctx.clock.now().getTime() - unusedDays * DAY_MS);
    const found = await rows<ProjectAccessTokenEntity>(
      this.transactions.manager(ctx),
      `SELECT ${columnsOf(this.tokens(ctx).metadata)} FROM project_access_token
       WHERE organization_id = $1 AND revoked_at IS NULL AND ($2::uuid IS NULL OR id < $2)
         AND ($3::timestamptz IS NULL OR coalesce(last_used_at, created_at) < $3) AND ($4::text IS NULL OR last4 = $4)
       ORDER BY id DESC LIMIT $5`,
      [organizationId, decodeCursor(cursor, list), unusedSince, last4 ?? null, limit + 1],
    );
    return pageOf(found, limit, list);
  }

  /** The names of tokens by id, also of expired and revoked ones. Missing ids are skipped. */
  async findNames(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const found = await rows<{ id: string; name: string }>(
      this.transactions.manager(ctx),
      `SELECT id, name FROM project_access_token WHERE organization_id = $1 AND project_id = $2 AND id = ANY ($3::uuid[])`,
      [organizationId, projectId, ids],
    );
    return new Map(found.map(({ id, name }) => [id, name]));
  }

  /** The valid tokens in an organization with a value that a developer received, newest first. */
  listReceivedBy(
    ctx: RequestContext,
    organizationId: string,
    developerId: string,
    limit: number,
  ): Promise<ProjectAccessTokenEntity[]> {
    const columns = columnsOf(this.tokens(ctx).metadata);
    return rows(
      this.transactions.manager(ctx),
      `SELECT ${columns} FROM project_access_token WHERE ${RECEIVED} ORDER BY id DESC LIMIT $4`,
      [organizationId, developerId, ctx.clock.now(), limit],
    );
  }

  /** Revokes the valid tokens in an organization with a value that a developer received, and returns them. */
  revokeReceivedBy(
    tx: RequestContext,
    organizationId: string,
    developerId: string,
  ): Promise<{ id: string; projectId: string }[]> {
    return rows(
      this.transactions.manager(tx),
      `UPDATE project_access_token SET revoked_at = $3 WHERE ${RECEIVED} RETURNING id, project_id AS "projectId"`,
      [organizationId, developerId, tx.clock.now()],
    );
  }

  /** Finds a valid token by the digest of its value, or of its previous value while the overlap of a rotation lasts. */
  async findByDigest(ctx: RequestContext, digest: Buffer): Promise<ProjectAccessTokenEntity | null> {
    const token = await one<ProjectAccessTokenEntity>(
      this.transactions.manager(ctx),
      `SELECT ${columnsOf(this.tokens(ctx).metadata)} FROM project_access_token
       WHERE (digest = $1 OR previous_digest = $1) AND revoked_at IS NULL`,
      [digest],
    );
    if (!token) return null;
    const isCurrent = digest.equals(token.digest) || token.previousUntil! > ctx.clock.now();
    return isCurrent && isUnexpired(ctx, token.expiresAt) ? token : null;
  }

  /** Finds the token of an organization that has or had a value, also a revoked or expired one. */
  findAnyByDigest(
    ctx: RequestContext,
    organizationId: string,
    digest: Buffer,
  ): Promise<ProjectAccessTokenEntity | null> {
    return this.tokens(ctx).findOneBy([
      { organizationId, digest },
      { organizationId, previousDigest: digest },
    ]);
  }

  /** The statement itself reads the present value: one that was read before may have been replaced by a concurrent rotation. */
  async rotate(ctx: RequestContext, id: string, value: TokenValue): Promise<void> {
    const previousDigest = value.previousUntil && (() => 'digest');
    await this.tokens(ctx).update({ id }, { ...value, previousDigest });
  }
}
