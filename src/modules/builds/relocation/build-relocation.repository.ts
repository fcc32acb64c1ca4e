import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { type BlobPlace, type StorageAccount } from '#modules/storage';
import { Transactions } from '#infra/database/transactions';
import { BuildRelocationEntity } from './build-relocation.entity';
import { BuildEntity } from '../catalogue/build.entity';

/** A build whose artifact is to be elsewhere. */
export interface RelocatableBuild {
  readonly id: string;
  readonly organizationId: string;
  readonly blob: BlobPlace;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

export interface Move {
  readonly id: string;
  readonly buildId: string;
  readonly from: BlobPlace;
  readonly to: BlobPlace;
}

interface MovableRow {
  readonly id: string;
  readonly account: string;
  readonly key: string;
  readonly sizeBytes: string;
  readonly sha256: string;
}

/** How long a download may take that has begun before its artifact moved. */
const LAST_READ_HOURS = 24;
const BATCH = 100;

@Injectable()
export class BuildRelocationRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The next builds of an organization, by id, that are not in the account. */
  async findElsewhere(
    ctx: RequestContext,
    organizationId: string,
    account: StorageAccount,
    after: string | null,
  ): Promise<RelocatableBuild[]> {
    const rows: MovableRow[] = await this.query(
      ctx,
      `SELECT id, storage_account AS account, blob_key AS key, size_bytes AS "sizeBytes", encode(sha256, 'hex') AS sha256 FROM build
       WHERE organization_id = $1 AND storage_account <> $2 AND ($3::uuid IS NULL OR id > $3) ORDER BY id LIMIT ${BATCH}`,
      [organizationId, account, after],
    );
    return rows.map(({ id, key, sizeBytes, sha256, ...row }) => ({
      id,
      organizationId,
      blob: { account: row.account, key },
      sizeBytes: Number(sizeBytes),
      sha256,
    }));
  }

  /** Builds that are not in the account, and uploads that may become some. */
  async countElsewhere(
    ctx: RequestContext,
    organizationId: string,
    account: StorageAccount,
  ): Promise<{ builds: number; uploads: number }> {
    const [row] = await this.query<[{ builds: number; uploads: number }]>(
      ctx,
      `SELECT (SELECT count(*)::int FROM build WHERE organization_id = $1 AND storage_account <> $2) AS builds,
              (SELECT count(*)::int FROM artifact_upload
               WHERE organization_id = $1 AND storage_account <> $2 AND state = 'pending') AS uploads`,
      [organizationId, account],
    );
    return row;
  }

  /** Whether a blob of ours is in the account, is on its way to it, or was left in it. */
  async isUsed(ctx: RequestContext, account: StorageAccount): Promise<boolean> {
    const [row] = await this.query<[{ used: boolean }]>(
      ctx,
      `SELECT EXISTS (SELECT FROM build WHERE storage_account = $1)
           OR EXISTS (SELECT FROM artifact_upload WHERE storage_account = $1)
           OR EXISTS (SELECT FROM build_move WHERE $1 IN (from_account, to_account)) AS used`,
      [account],
    );
    return row.used;
  }

  /** Notes where the artifact will go, before it does; the note that somebody has made before counts. */
  async begin(ctx: RequestContext, build: RelocatableBuild, account: StorageAccount): Promise<Move> {
    const id = newId();
    await this.query(
      ctx,
      `INSERT INTO build_move (id, organization_id, build_id, state, from_account, from_key, to_account, to_key)
       VALUES ($1, $2, $3, 'copying', $4, $5, $6, $7) ON CONFLICT (build_id) WHERE state = 'copying' DO NOTHING`,
      [id, build.organizationId, build.id, build.blob.account, build.blob.key, account, `builds/${id}`],
    );
    const move = await this.manager(ctx).findOneBy(BuildRelocationEntity, { buildId: build.id, state: 'copying' });
    return toMove(move as BuildRelocationEntity);
  }

  /** A move that is still to be ended, locked; null when another has ended it. */
  async lock(ctx: RequestContext, id: string): Promise<Move | null> {
    const options = { where: { id, state: 'copying' as const }, lock: { mode: 'pessimistic_write' as const } };
    const move = await this.manager(ctx).findOne(BuildRelocationEntity, options);
    return move && toMove(move);
  }

  /** Tells the build where its artifact is now. False when it is gone, or has moved otherwise. */
  async rebind(ctx: RequestContext, { buildId, from, to }: Move): Promise<boolean> {
    const [, affected] = await this.query<[unknown, number]>(
      ctx,
      `UPDATE build SET storage_account = $4, blob_key = $5 WHERE id = $1 AND storage_account = $2 AND blob_key = $3`,
      [buildId, from.account, from.key, to.account, to.key],
    );
    return affected === 1;
  }

  async noteCopied(ctx: RequestContext, id: string): Promise<void> {
    await this.query(
      ctx,
      `UPDATE build_move SET state = 'copied', delete_after = app_now() + interval '${LAST_READ_HOURS} hours' WHERE id = $1`,
      [id],
    );
  }

  /** Forgets some moves whose old blob nobody reads any more. */
  forgetDue(tx: RequestContext): Promise<Move[]> {
    return this.forgetMany(tx, 'delete_after <= app_now()');
  }

  /** Forgets some that were left half-way and whose build was deleted meanwhile. */
  forgetPointless(tx: RequestContext): Promise<Move[]> {
    return this.forgetMany(
      tx,
      `state = 'copying' AND NOT EXISTS (SELECT FROM build WHERE build.id = build_move.build_id)`,
    );
  }

  /** Moves of an organization, whichever way, that were left half-way. */
  async findHalfWay(ctx: RequestContext, organizationId: string): Promise<Move[]> {
    const moves = await this.manager(ctx).findBy(BuildRelocationEntity, { organizationId, state: 'copying' });
    return moves.map(toMove);
  }

  /** Whether a build's artifact is there. */
  async isBound(ctx: RequestContext, { account, key }: BlobPlace): Promise<boolean> {
    return this.manager(ctx).existsBy(BuildEntity, { storageAccount: account, blobKey: key });
  }

  async forget(ctx: RequestContext, id: string): Promise<void> {
    await this.manager(ctx).delete(BuildRelocationEntity, { id });
  }

  /** What another ends at this moment is left to it. */
  private async forgetMany(tx: RequestContext, condition: string): Promise<Move[]> {
    const manager = this.manager(tx);
    const moves = await manager
      .createQueryBuilder(BuildRelocationEntity, 'build_move')
      .where(condition)
      .limit(BATCH)
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .getMany();
    if (moves.length > 0) await manager.delete(BuildRelocationEntity, { id: In(moves.map(({ id }) => id)) });
    return moves.map(toMove);
  }

  private query<T>(ctx: RequestContext, statement: string, parameters: unknown[] = []): Promise<T> {
    return this.manager(ctx).query(statement, parameters);
  }

  private manager(ctx: RequestContext) {
    return this.transactions.manager(ctx);
  }
}

const toMove = ({ id, buildId, fromAccount, fromKey, toAccount, toKey }: BuildRelocationEntity): Move => ({
  id,
  buildId,
  from: { account: fromAccount, key: fromKey },
  to: { account: toAccount, key: toKey },
});
