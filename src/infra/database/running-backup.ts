import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { one } from './sql';
import { Transactions } from './transactions';

/** The two keys of the advisory lock that a backup holds (the bytes of "back", and 0). */
const LOCK = [0x6261636b, 0] as const;

const IS_HELD = `
  SELECT EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND classid = $1::integer::oid AND objid = $2::integer::oid) AS held`;

/**
 * Says whether a backup is running. Code that deletes blobs of builds checks it first and keeps the blobs, because the backup may still
 * have to copy them (docs/decisions/0020-backup.md). A blob that is deleted just before a backup starts belongs to a build that the
 * backup's snapshot no longer contains.
 */
@Injectable()
export class RunningBackup {
  constructor(private readonly transactions: Transactions) {}

  async isActive(ctx: RequestContext): Promise<boolean> {
    return (await one<{ held: boolean }>(this.transactions.manager(ctx), IS_HELD, LOCK))?.held ?? false;
  }
}

/**
 * Takes the backup's lock, which lasts until the session ends, also when the process is killed. Call it before taking the snapshot.
 * @throws AppError operation_not_allowed when another backup is running.
 */
export async function beginBackup(session: ClientBase): Promise<void> {
  const { rows } = await session.query<{ begun: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS begun', [...LOCK]);
  if (rows[0]?.begun) return;
  throw new AppError('operation_not_allowed', { message: 'Another backup is running. Wait until it has finished.' });
}

/** @throws AppError storage_backend_unavailable when the session no longer holds the lock, so blobs may have been deleted. */
export async function requireBackup(session: ClientBase): Promise<void> {
  const held = await session.query<{ held: boolean }>(IS_HELD, [...LOCK]).catch((error: unknown) => {
    throw interrupted(error);
  });
  if (!held.rows[0]?.held) throw interrupted();
}

const interrupted = (cause?: unknown): AppError =>
  new AppError('storage_backend_unavailable', {
    message: 'The database was unavailable during the backup. Run the command again: it continues.',
    cause,
  });
