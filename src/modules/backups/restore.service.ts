import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { copyBlob } from '#infra/blob/copy-blob';
import { SchemaVersion } from '#infra/database/migrations/schema-version';
import { OwnerDatabase, type OwnerSession } from '#infra/database/roles/owner-database';
import { HOSTED, HostedStoreIdentityService, StorageService } from '#modules/storage';
import { RestoredUploadsService } from '#modules/uploads';
import { COPY_CONCURRENCY, type Report } from './backup.service';
import { ARTIFACTS, BackupFolder, type ListedArtifact } from './backup-folder';
import { loadDatabase, requireEmpty } from './database/database-load';
import { findMigrations, isOfJobQueue } from './database/database-tables';
import { unusableFile } from './database/durable-file';
import { KeyProofsService } from './key-proofs.service';
import { installMessage, type Manifest } from './manifest';
import { type SelfCheck, SelfChecksService } from './self-checks.service';

export interface RestoreOptions {
  /** Accepts a backup without authentication, of a version that wrote none. */
  readonly unauthenticated: boolean;
}

export interface RestoreReport {
  readonly manifest: Manifest;
  /** The artifacts that were copied into the store. */
  readonly copied: number;
  /** The artifacts that the store already had. */
  readonly kept: number;
  readonly checks: readonly SelfCheck[];
}

/**
 * Restores a backup (docs/decisions/0020-backup.md): first the artifacts, then the database in one transaction, so that no build is ever
 * visible without its artifact.
 */
@Injectable()
export class RestoreService {
  constructor(
    private readonly owner: OwnerDatabase,
    private readonly storage: StorageService,
    private readonly hostedStore: HostedStoreIdentityService,
    private readonly uploads: RestoredUploadsService,
    private readonly keys: KeyProofsService,
    private readonly schema: SchemaVersion,
    private readonly checks: SelfChecksService,
    private readonly audit: AuditRecorder,
  ) {}

  /** The manifest of the backup that a restore would use. @throws AppError when the restore is not possible. */
  async plan(ctx: RequestContext, path: string, { unauthenticated }: RestoreOptions): Promise<Manifest> {
    const manifest = await new BackupFolder(path).manifest();
    requireKnown(manifest, this.schema.knownMigrations);
    this.keys.verify(manifest);
    this.keys.requireAuthentic(manifest, { allowMissing: unauthenticated });
    await this.owner.session(ctx, async (session) => {
      if (!(await this.isRestored(session, manifest))) await requireEmpty(session.client);
    });
    return manifest;
  }

  /**
   * Restores into an empty database and the hosted store, then runs the self-checks. After an interruption, the same call continues:
   * copied artifacts are kept, and the database is either restored completely or empty. The rows of an earlier version are loaded into
   * that version's schema, which is then migrated like in an upgrade.
   * @throws AppError operation_not_allowed when the database is not empty, the keys differ, the backup was changed, or it is of a later
   * version; invalid_input when a file of the backup is damaged or missing.
   */
  async restore(ctx: RequestContext, path: string, options: RestoreOptions, report: Report): Promise<RestoreReport> {
    const manifest = await this.plan(ctx, path, options);
    const folder = new BackupFolder(path);
    const isLoaded = await this.owner.session(ctx, (session) => this.isRestored(session, manifest));
    if (!isLoaded) await this.owner.migrateTo(new Set(manifest.database.migrations));
    const counts = await this.owner.session(ctx, async (session) => {
      requireKnown(manifest, [...this.schema.knownMigrations, ...(await findMigrations(session.client))]);
      await folder.verifyDatabase(manifest, (done, total) => report(done, total, 'files'));
      const copies = await this.copyArtifacts(ctx, folder, manifest, report);
      if (!(await this.isRestored(session, manifest))) await this.load(session, folder, manifest, report);
      return copies;
    });
    await this.owner.migrate();
    // The store is recorded after the rows are loaded, because the schema of an earlier version may have no column for it.
    if (manifest.artifacts) await this.owner.session(ctx, (session) => this.hostedStore.accept(session.ctx));
    return { manifest, ...counts, checks: await this.checks.run(ctx, report) };
  }

  private async copyArtifacts(
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
    const copy = async (artifact: ListedArtifact): Promise<void> => {
      report((done += 1), total, 'artifacts');
      const { key } = artifact;
      if (faulty.has(key)) return;
      const outcome = await copyBlob({ store: folder.artifacts, key }, { store, key }, artifact);
      if (outcome === 'missing' || outcome === 'damaged') {
        throw unusableFile(`artifacts/${key}.blob`, outcome, artifact.buildId);
      }
      counts[outcome]++;
    };
    await Readable.from(folder.listArtifacts(manifest)).forEach(copy, { concurrency: COPY_CONCURRENCY });
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
      await this.uploads.end(ctx);
      const payload = { backup_id: manifest.id, backup_created_at: manifest.createdAt };
      await this.audit.record(ctx, { type: 'backup.restored', organizationId: null, payload });
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
    await client.query('ANALYZE');
  }

  /** True when an earlier run has restored this backup into the database. */
  private async isRestored({ client, ctx }: OwnerSession, { id }: Manifest): Promise<boolean> {
    const { rows } = await client.query<{ exists: boolean }>(`SELECT to_regclass('audit_event') IS NOT NULL AS exists`);
    if (!rows[0]?.exists) return false;
    return this.audit.wasRecorded(ctx, {
      types: ['backup.restored'],
      organizationId: null,
      payload: { backup_id: id },
    });
  }
}

/**
 * @param known also without the job queue's own migrations, before its schema exists.
 * @throws AppError operation_not_allowed when the backup has a migration that is not known: a later version made it.
 */
function requireKnown(manifest: Manifest, known: readonly string[]): void {
  const knowsJobQueue = known.some(isOfJobQueue);
  const unknown = manifest.database.migrations.find(
    (name) => !known.includes(name) && (knowsJobQueue || !isOfJobQueue(name)),
  );
  if (unknown === undefined) return;
  throw new AppError('operation_not_allowed', {
    message: `A later version made this backup (it has the migration ${unknown}). ${installMessage(manifest)}`,
    details: { reason: 'other_version', last_migration: manifest.database.migrations.at(-1) },
  });
}
