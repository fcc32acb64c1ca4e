import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type BlobPlace, type StorageAccount } from '#modules/storage';
import { Transactions } from '#infra/database/transactions';

/** What there is of an organization. */
export interface OrganizationSize {
  readonly projects: number;
  readonly builds: number;
  readonly build_bytes: string;
  readonly testers: number;
  readonly members: number;
}

export interface StoredBuild {
  readonly id: string;
  readonly blob: BlobPlace;
}

export interface OwnStore {
  readonly account: StorageAccount;
  readonly uploads: number;
}

interface BlobRow {
  readonly id: string;
  readonly account: string;
  readonly key: string;
}

interface MoveRow {
  readonly from_account: string;
  readonly from_key: string;
  readonly to_account: string;
  readonly to_key: string;
}

const SIZE = `
  SELECT (SELECT count(*)::int FROM project WHERE organization_id = $1) AS projects,
    (SELECT count(*)::int FROM build WHERE organization_id = $1) AS builds,
    (SELECT coalesce(sum(size_bytes), 0)::text FROM build WHERE organization_id = $1) AS build_bytes,
    (SELECT count(*)::int FROM tester WHERE organization_id = $1) AS testers,
    (SELECT count(*)::int FROM membership WHERE organization_id = $1) AS members`;

/** The tables of all modules, as far as rows of an organization go from them at once. */
@Injectable()
export class OrganizationErasureRepository {
  constructor(private readonly transactions: Transactions) {}

  async sizeOf(ctx: RequestContext, organizationId: string): Promise<OrganizationSize> {
    const [size] = await this.query<[OrganizationSize]>(ctx, SIZE, [organizationId]);
    return size;
  }

  /** False when there is none. Nobody else changes it until the transaction ends. */
  async lock(tx: RequestContext, organizationId: string): Promise<boolean> {
    const rows = await this.query<object[]>(tx, `SELECT 1 FROM organization WHERE id = $1 FOR UPDATE`, [
      organizationId,
    ]);
    return rows.length === 1;
  }

  /** Nobody has access any more: with memberships go roles in projects and personal access tokens. */
  async endAccess(tx: RequestContext, organizationId: string): Promise<void> {
    for (const table of ['project_access_token', 'organization_invitation', 'membership']) {
      await this.query(tx, `DELETE FROM ${table} WHERE organization_id = $1`, [organizationId]);
    }
  }

  /** Uploads on their way are given up by the sweeper, which then finds no name and no text of anybody. */
  async abandonUploads(tx: RequestContext, organizationId: string): Promise<void> {
    await this.query(tx, `UPDATE resumable_upload SET file_name = 'erased', draft = '{}' WHERE organization_id = $1`, [
      organizationId,
    ]);
    await this.query(
      tx,
      `UPDATE artifact_upload SET leased_until = least(leased_until, $2) WHERE organization_id = $1 AND state = 'pending'`,
      [organizationId, tx.clock.now()],
    );
  }

  /** Deletes some builds, whatever is released, with all that hangs on them. */
  async deleteBuilds(tx: RequestContext, organizationId: string, limit: number): Promise<StoredBuild[]> {
    const rows = await this.query<BlobRow[]>(
      tx,
      `SELECT id, storage_account AS account, blob_key AS key FROM build WHERE organization_id = $1
       ORDER BY id LIMIT $2 FOR UPDATE`,
      [organizationId, limit],
    );
    const ids = rows.map(({ id }) => id);
    await this.query(
      tx,
      `DELETE FROM current_release WHERE release_id IN (SELECT id FROM release WHERE build_id = ANY ($1))`,
      [ids],
    );
    await this.query(tx, `DELETE FROM build WHERE id = ANY ($1)`, [ids]);
    return rows.map(({ id, ...blob }) => ({ id, blob }));
  }

  /** Forgets moves of artifacts. @returns every place where one may have left something. */
  async deleteMoves(tx: RequestContext, organizationId: string): Promise<BlobPlace[]> {
    const [moves] = await this.query<[MoveRow[], number]>(
      tx,
      `DELETE FROM build_move WHERE organization_id = $1 RETURNING from_account, from_key, to_account, to_key`,
      [organizationId],
    );
    return moves.flatMap((move) => [
      { account: move.from_account, key: move.from_key },
      { account: move.to_account, key: move.to_key },
    ]);
  }

  /** @returns how many. */
  async deleteTesters(tx: RequestContext, organizationId: string, limit: number): Promise<number> {
    const [, deleted] = await this.query<[object[], number]>(
      tx,
      `DELETE FROM tester WHERE id IN (SELECT id FROM tester WHERE organization_id = $1 LIMIT $2)`,
      [organizationId, limit],
    );
    return deleted;
  }

  /** All the rest, once builds and testers are gone. The ledger, statements and the audit feed stay: they name nobody. */
  async deleteRest(tx: RequestContext, organizationId: string): Promise<void> {
    for (const table of ['channel', 'project', 'storage_account', 'account_flag']) {
      await this.query(tx, `DELETE FROM ${table} WHERE organization_id = $1`, [organizationId]);
    }
    await this.query(tx, `DELETE FROM organization WHERE id = $1`, [organizationId]);
  }

  /** An organization's own store, and how many uploads have still to be given up in it; null: it has none. */
  async findOwnStore(ctx: RequestContext, organizationId: string): Promise<OwnStore | null> {
    const [row] = await this.query<[OwnStore | undefined]>(
      ctx,
      `SELECT id AS account, (SELECT count(*) FROM artifact_upload WHERE storage_account = a.id::text)::int AS uploads
       FROM storage_account a WHERE organization_id = $1`,
      [organizationId],
    );
    return row ?? null;
  }

  /** Whether an operator had it erased. */
  async wasErased(ctx: RequestContext, organizationId: string): Promise<boolean> {
    const rows = await this.query<object[]>(
      ctx,
      `SELECT 1 FROM audit_event WHERE organization_id = $1 AND type = 'organization.erased' LIMIT 1`,
      [organizationId],
    );
    return rows.length === 1;
  }

  private query<Rows>(ctx: RequestContext, sql: string, parameters: unknown[]): Promise<Rows> {
    return this.transactions.manager(ctx).query<Rows>(sql, parameters);
  }
}
