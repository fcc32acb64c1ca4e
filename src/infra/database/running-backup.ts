import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Transactions } from '#infra/database/transactions';

/** First and second key of the advisory lock that whoever makes a backup holds ("back"). */
const LOCK = [0x6261636b, 0] as const;

const IS_HELD = `
  SELECT EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND classid = $1::integer::oid AND objid = $2::integer::oid) AS held`;

/**
 * While a backup is being made, no blob is deleted that it may still have to copy (decision 20). Whoever deletes blobs of builds
 * asks first. That is enough: what is deleted although nobody had begun was no build any more when the backup took its snapshot.
 */
@Injectable()
export class RunningBackup {
  constructor(private readonly transactions: Transactions) {}

  async isOn(ctx: RequestContext): Promise<boolean> {
    const [row] = await this.transactions.manager(ctx).query<[{ held: boolean }]>(IS_HELD, [...LOCK]);
    return row.held;
  }
}

/** Begins a backup: until the session ends, which it also does when the process is killed. Before the snapshot is taken. */
export async function beginBackup(session: ClientBase): Promise<void> {
  const { rows } = await session.query<{ begun: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS begun', [...LOCK]);
  if (rows[0]?.begun) return;
  throw new AppError('operation_not_allowed', { message: 'Another backup is being made. Wait until it is done.' });
}

/** @throws AppError storage_backend_unavailable when the session has lost its turn: blobs may have been deleted meanwhile. */
export async function requireBackup(session: ClientBase): Promise<void> {
  const held = await session.query<{ held: boolean }>(IS_HELD, [...LOCK]).catch((error: unknown) => {
    throw interrupted(error);
  });
  if (!held.rows[0]?.held) throw interrupted();
}

const interrupted = (cause?: unknown): AppError =>
  new AppError('storage_backend_unavailable', {
    message: 'The database was away while the backup was made. Say the command again: it goes on.',
    cause,
  });
