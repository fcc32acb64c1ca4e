import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { copyBlob, type CopyOutcome } from '#infra/blob/copy-blob';
import { OwnerDatabase } from '#infra/database/roles/owner-database';
import { beginBackup, requireBackup } from '#infra/database/running-backup';
import { Transactions } from '#infra/database/transactions';
import { programVersion } from '#infra/lifecycle/program-version';
import { copyHostedArtifacts } from '#modules/builds';
import { HOSTED, StorageService } from '#modules/storage';
import { ARTIFACTS, BackupFolder, type ListedArtifact } from './backup-folder';
import { dumpDatabase } from './database/database-dump';
import { KeyProofsService } from './key-proofs.service';
import { type ArtifactFault, type Manifest, type ManifestContent } from './manifest';

/** Reports the progress of a named part of the work. */
export type Report = (done: number, total: number, part: string) => void;

export interface BackupOptions {
  /** Does not copy the artifacts, because the store has its own backup. */
  readonly databaseOnly: boolean;
}

export interface BackupReport {
  readonly manifest: Manifest;
  readonly rows: number;
  readonly copied: number;
  /** The artifacts that an earlier backup had already copied. */
  readonly kept: number;
}

/** The number of artifacts that a backup or restore copies at the same time. */
export const COPY_CONCURRENCY = 4;

/** Makes backups while the service runs (docs/decisions/0020-backup.md). */
@Injectable()
export class BackupService {
  constructor(
    private readonly owner: OwnerDatabase,
    private readonly storage: StorageService,
    private readonly keys: KeyProofsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /**
   * The manifest of the backup in a folder; null when there is none. @throws AppError operation_not_allowed for a folder with other files.
   */
  async find(path: string): Promise<Manifest | null> {
    const folder = new BackupFolder(path);
    await folder.requireBackupsOnly();
    return folder.findManifest();
  }

  /**
   * Writes a backup into a folder. It replaces an earlier backup at the very end and keeps the artifacts of it that it needs. After an
   * interruption, the same call continues.
   * @throws AppError operation_not_allowed while another backup runs, or for a folder with other files.
   */
  async create(ctx: RequestContext, path: string, options: BackupOptions, report: Report): Promise<BackupReport> {
    const folder = new BackupFolder(path);
    await folder.requireBackupsOnly();
    const id = newId();
    await this.record(ctx, 'backup.started', { backup_id: id });
    const backup = await this.owner.session(ctx, async ({ client }) => {
      // Taken before the snapshot: from then on, no artifact of a build in the snapshot is deleted.
      await beginBackup(client);
      const createdAt = ctx.clock.now().toISOString();
      const lists = { [ARTIFACTS]: copyHostedArtifacts };
      const database = await dumpDatabase(client, await folder.createDatabaseFolder(id), lists, (done, total) =>
        report(done, total, 'tables'),
      );
      const base = {
        format: 1,
        id,
        version: programVersion(),
        createdAt,
        keys: this.keys.create(id),
        database,
        artifacts: null,
        faults: [],
      } as const;
      if (options.databaseOnly) return { manifest: this.keys.authenticate(base), copied: 0, kept: 0 };
      const { artifacts, faults, copied, kept } = await this.copyArtifacts(ctx, folder, base, report);
      await requireBackup(client);
      return { manifest: this.keys.authenticate({ ...base, artifacts, faults }), copied, kept };
    });
    await folder.publish(backup.manifest);
    await folder.deleteUnlisted(backup.manifest);
    const { artifacts, faults } = backup.manifest;
    await this.record(ctx, 'backup.created', {
      backup_id: id,
      artifacts: artifacts?.count ?? null,
      faults: faults.length,
    });
    return { ...backup, rows: backup.manifest.database.tables.reduce((sum, { rows }) => sum + rows, 0) };
  }

  private async copyArtifacts(
    ctx: RequestContext,
    folder: BackupFolder,
    manifest: ManifestContent,
    report: Report,
  ): Promise<Pick<Manifest, 'artifacts' | 'faults'> & { copied: number; kept: number }> {
    const store = await this.storage.storeOf(ctx, HOSTED);
    const total = manifest.database.lists[ARTIFACTS]?.rows ?? 0;
    const counts: Record<CopyOutcome, number> = { copied: 0, kept: 0, missing: 0, damaged: 0 };
    const faults: ArtifactFault[] = [];
    let [done, sizeBytes] = [0, 0];
    const copy = async (artifact: ListedArtifact): Promise<void> => {
      const { key } = artifact;
      const outcome = await copyBlob({ store, key }, { store: folder.artifacts, key }, artifact);
      counts[outcome]++;
      if (outcome === 'missing' || outcome === 'damaged') {
        faults.push({ key, buildId: artifact.buildId, reason: outcome });
      } else sizeBytes += artifact.sizeBytes;
      report((done += 1), total, 'artifacts');
    };
    await Readable.from(folder.listArtifacts(manifest)).forEach(copy, { concurrency: COPY_CONCURRENCY });
    const { copied, kept } = counts;
    return { artifacts: { count: copied + kept, sizeBytes }, faults, copied, kept };
  }

  private async record(
    ctx: RequestContext,
    type: 'backup.started' | 'backup.created',
    payload: { readonly backup_id: string; readonly artifacts?: number | null; readonly faults?: number },
  ): Promise<void> {
    await this.transactions.run(ctx, (tx) => this.audit.record(tx, { type, organizationId: null, payload }));
  }
}
