import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { HOSTED, StorageService } from '#modules/storage';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { loadDatabase, requireEmpty } from './database/database-load';
import { findMigrations } from './database/database-tables';
import { copyBlob } from '#infra/blob/copy-blob';
import { OwnerDatabase, type OwnerSession } from '#infra/database/roles/owner-database';
import { ARTIFACTS, BackupFolder } from './backup-folder';
import { type Report } from './backup.service';
import { inParallel } from './in-parallel';
import { KeyProofs } from './key-proofs';
import { type Manifest } from './manifest';
import { type SelfCheck, SelfChecksService } from './self-checks.service';

export interface RestoreReport {
  readonly manifest: Manifest;
  /** Artifacts that were put into the store, and those that were there already. */
  readonly copied: number;
  readonly kept: number;
  readonly checks: readonly SelfCheck[];
}

const COPIES_AT_ONCE = 4;

/** Brings a backup back (decision 20): artifacts first, then the database, at one instant, so that no build is without its bytes. */
@Injectable()
export class RestoreService {
  constructor(
    private readonly owner: OwnerDatabase,
    private readonly storage: StorageService,
    private readonly keys: KeyProofs,
    private readonly checks: SelfChecksService,
    private readonly audit: AuditRecorder,
  ) {}

  /** What a restore would bring. @throws AppError when it could not be made. */
  async look(ctx: RequestContext, path: string): Promise<Manifest> {
    const manifest = await new BackupFolder(path).manifest();
    this.keys.require(manifest);
    await this.owner.session(ctx, async ({ client }) => {
      if (!(await isRestored(client, manifest))) await requireEmpty(client);
    });
    return manifest;
  }

  /**
   * Restores into an empty database and the hosted store, then proves that all is whole. Interrupted, the same call goes on:
   * artifacts that are there are kept, and the database is restored wholly or not at all.
   * @throws AppError operation_not_allowed for a database with something in it, other keys, or another version's backup;
   * invalid_input when a file of the backup is damaged or missing.
   */
  async restore(ctx: RequestContext, path: string, report: Report): Promise<RestoreReport> {
    const manifest = await this.look(ctx, path);
    const folder = new BackupFolder(path);
    await this.owner.migrate();
    const counts = await this.owner.session(ctx, async (session) => {
      await requireSameSchema(session.client, manifest);
      await folder.verifyDatabase(manifest, (done, total) => report(done, total, 'files'));
      const copies = await this.copy(ctx, folder, manifest, report);
      if (!(await isRestored(session.client, manifest))) await this.load(session, folder, manifest, report);
      return copies;
    });
    return { manifest, ...counts, checks: await this.checks.run(ctx, report) };
  }

  private async copy(
    ctx: RequestContext,
    folder: BackupFolder,
    manifest: Manifest,
    report: Report,
  ): Promise<{ copied: number; kept: number }> {
    const counts = { copied: 0, kept: 0 };
    if (!manifest.artifacts) return counts;
    const store = await this.storage.storeOf(ctx, HOSTED);
    const faulty = new Set(manifest.faults.map(({ key }) => key));
    const total = manifest.database.lists[ARTIFACTS]?.rows ?? 0;
    let done = 0;
    await inParallel(folder.listed(manifest), COPIES_AT_ONCE, async (artifact) => {
      report((done += 1), total, 'artifacts');
      const { key } = artifact;
      if (faulty.has(key)) return;
      const outcome = await copyBlob({ store: folder.artifacts, key }, { store, key }, artifact);
      if (outcome === 'missing' || outcome === 'damaged') {
        const message = `This backup cannot be restored: artifacts/${key}.blob is ${outcome}.`;
        throw AppError.invalidInput(`file_${outcome}`, message, { build_id: artifact.buildId });
      }
      counts[outcome]++;
    });
    return counts;
  }

  private async load(
    { client, ctx }: OwnerSession,
    folder: BackupFolder,
    manifest: Manifest,
    report: Report,
  ): Promise<void> {
    await client.query('BEGIN');
    try {
      await loadDatabase(client, folder.databaseOf(manifest.id), manifest.database, (done, total) =>
        report(done, total, 'tables'),
      );
      const payload = { backup_id: manifest.id, backup_created_at: manifest.createdAt };
      await this.audit.record(ctx, { type: 'backup.restored', organizationId: null, payload });
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
    await client.query('ANALYZE');
  }
}

/** A restore that was interrupted after its last step is not made twice. */
async function isRestored(client: OwnerSession['client'], { id }: Manifest): Promise<boolean> {
  const { rows } = await client.query<{ made: boolean }>(`SELECT to_regclass('audit_event') IS NOT NULL AS made`);
  if (!rows[0]?.made) return false;
  const { rowCount } = await client.query(
    `SELECT FROM audit_event WHERE organization_id IS NULL AND type = 'backup.restored' AND payload ->> 'backup_id' = $1`,
    [id],
  );
  return rowCount !== 0;
}

/** Rows fit the schema that they came from; what a newer version makes of them is its migrations' business. */
async function requireSameSchema(client: OwnerSession['client'], { database }: Manifest): Promise<void> {
  const here = await findMigrations(client);
  if (JSON.stringify(here) === JSON.stringify(database.migrations)) return;
  throw new AppError('operation_not_allowed', {
    message: 'This backup was made by another version. Restore it with that one, then upgrade.',
    details: { reason: 'other_version', last_migration: database.migrations.at(-1), here: here.at(-1) },
  });
}
