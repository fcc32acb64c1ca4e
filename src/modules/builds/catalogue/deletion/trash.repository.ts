import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type BlobPlace } from '#modules/storage';
import { type ArtifactFile } from '../build';
import { type BuildDescription } from '../build-draft';
import { IN_TRASH, LIVE } from '../live-builds';
import { type LockedBuild } from './build-deletion';

const OF_PROJECT = 'organization_id = $1 AND project_id = $2';
const LOCKED = 'id, platform, version, build_number AS "buildNumber", pinned, deleted_at AS "deletedAt"';

/** What two uploads of the same build have in common. */
export type Identity = Pick<BuildDescription, 'platform' | 'version' | 'buildNumber'> & Pick<ArtifactFile, 'sha256'>;

/** A build whose time in the trash has ended. */
export interface EndedBuild extends ProjectScope {
  readonly id: string;
  readonly deletedAt: Date;
}

/** Moves builds to the trash and out of it. */
@Injectable()
export class TrashRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Locks builds until the transaction ends, in the order of their ids, also those in the trash. Skips those that do not exist. */
  lock(tx: RequestContext, scope: ProjectScope, ids: readonly string[]): Promise<LockedBuild[]> {
    const statement = `SELECT ${LOCKED} FROM build WHERE ${OF_PROJECT} AND id = ANY ($3::uuid[]) ORDER BY id FOR UPDATE`;
    return rows<LockedBuild>(this.transactions.manager(tx), statement, [scope.organizationId, scope.projectId, ids]);
  }

  /** Moves locked builds to the trash. */
  async trash(
    tx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    ids: readonly string[],
    now: Date,
  ): Promise<void> {
    await rows(
      this.transactions.manager(tx),
      `UPDATE build SET deleted_at = $4, expires_at = NULL WHERE ${OF_PROJECT} AND id = ANY ($3::uuid[]) AND ${LIVE}`,
      [organizationId, projectId, ids, now],
    );
  }

  /** Moves locked builds out of the trash. */
  async restore(
    tx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    ids: readonly string[],
  ): Promise<void> {
    await rows(
      this.transactions.manager(tx),
      `UPDATE build SET deleted_at = NULL WHERE ${OF_PROJECT} AND id = ANY ($3::uuid[])`,
      [organizationId, projectId, ids],
    );
  }

  /** Deletes the rows of locked builds. @returns where the artifacts are stored. */
  delete(tx: RequestContext, scope: ProjectScope, ids: readonly string[]): Promise<BlobPlace[]> {
    return rows<BlobPlace>(
      this.transactions.manager(tx),
      `DELETE FROM build WHERE ${OF_PROJECT} AND id = ANY ($3::uuid[])
       RETURNING storage_account AS account, blob_key AS key`,
      [scope.organizationId, scope.projectId, ids],
    );
  }

  /** The newest build in the trash that is what is uploaded. Locks it until the transaction ends. Null when there is none. */
  async lockIdentical(
    tx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    { platform, version, buildNumber, sha256 }: Identity,
  ): Promise<string | null> {
    const found = await one<{ id: string }>(
      this.transactions.manager(tx),
      `SELECT id FROM build WHERE ${OF_PROJECT} AND sha256 = $3 AND ${IN_TRASH}
         AND platform = $4 AND version = $5 AND build_number IS NOT DISTINCT FROM $6
       ORDER BY id DESC LIMIT 1 FOR UPDATE`,
      [organizationId, projectId, Buffer.from(sha256, 'hex'), platform, version, buildNumber],
    );
    return found?.id ?? null;
  }

  /** Changes where the artifact of a locked build is stored. @returns where it was. */
  async replaceArtifact(
    tx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    id: string,
    { account, key }: BlobPlace,
  ): Promise<BlobPlace> {
    const [before] = await rows<BlobPlace>(
      this.transactions.manager(tx),
      `UPDATE build b SET storage_account = $4, blob_key = $5
       FROM build old WHERE old.id = b.id AND b.organization_id = $1 AND b.project_id = $2 AND b.id = $3
       RETURNING old.storage_account AS account, old.blob_key AS key`,
      [organizationId, projectId, id, account, key],
    );
    if (!before) throw new AppError('internal_error', { cause: `the locked build ${id} is missing` });
    return before;
  }

  /** Some of the builds that were moved to the trash before a time, the longest in it first. */
  findEnded(
    ctx: RequestContext,
    { before, after, limit }: { readonly before: Date; readonly after: EndedBuild | null; readonly limit: number },
  ): Promise<EndedBuild[]> {
    return rows<EndedBuild>(
      this.transactions.manager(ctx),
      `SELECT id, organization_id AS "organizationId", project_id AS "projectId", deleted_at AS "deletedAt" FROM build
       WHERE deleted_at < $1 AND ($2::timestamptz IS NULL OR (deleted_at, id) > ($2, $3::uuid))
       ORDER BY deleted_at, id LIMIT $4`,
      [before, after?.deletedAt ?? null, after?.id ?? null, limit],
    );
  }

  /** Some of the builds in the trash of a project. */
  async list(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    limit: number,
  ): Promise<readonly string[]> {
    const found = await rows<{ id: string }>(
      this.transactions.manager(ctx),
      `SELECT id FROM build WHERE ${OF_PROJECT} AND ${IN_TRASH} ORDER BY id LIMIT $3`,
      [organizationId, projectId, limit],
    );
    return found.map(({ id }) => id);
  }
}
