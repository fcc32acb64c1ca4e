import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { HOSTED_ARTIFACTS } from '#modules/builds';
import { HOSTED, StorageService } from '#modules/storage';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { dumpDatabase } from './database/database-dump';
import { beginBackup, requireBackup } from '#infra/database/running-backup';
import { copyBlob, type CopyOutcome } from '#infra/blob/copy-blob';
import { OwnerDatabase } from '#infra/database/roles/owner-database';
import { Transactions } from '#infra/database/transactions';
import { ARTIFACTS, BackupFolder } from './backup-folder';
import { inParallel } from './in-parallel';
import { KeyProofs } from './key-proofs';
import { type ArtifactFault, type Manifest } from './manifest';

/** Tells how far a part of the work has come. */
export type Report = (done: number, total: number, part: string) => void;

export interface BackupOptions {
  /** Leaves the artifacts to whoever keeps the store. */
  readonly databaseOnly: boolean;
}

/** What a backup came to. */
export interface BackupReport {
  readonly manifest: Manifest;
  readonly rows: number;
  readonly copied: number;
  /** Artifacts that a backup before had left there. */
  readonly kept: number;
}

const COPIES_AT_ONCE = 4;

/** Makes backups while the service runs (decision 20). */
@Injectable()
export class BackupService {
  constructor(
    private readonly owner: OwnerDatabase,
    private readonly storage: StorageService,
    private readonly keys: KeyProofs,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** The backup that a folder holds. */
  async find(path: string): Promise<Manifest | null> {
    const folder = new BackupFolder(path);
    await folder.requireOwn();
    return folder.findManifest();
  }

  /**
   * Puts a backup into a folder. One that is there is replaced at the very end, and its artifacts are used again; killed half-way,
   * the same call goes on.
   * @throws AppError operation_not_allowed while another is made, or for a folder with something else in it.
   */
  async create(ctx: RequestContext, path: string, options: BackupOptions, report: Report): Promise<BackupReport> {
    const folder = new BackupFolder(path);
    await folder.requireOwn();
    const id = newId();
    await this.record(ctx, 'backup.started', { backup_id: id });
    const made = await this.owner.session(ctx, async ({ client }) => {
      // First: from here on no artifact of a build goes that the snapshot may still have.
      await beginBackup(client);
      const createdAt = ctx.clock.now().toISOString();
      const lists = { [ARTIFACTS]: HOSTED_ARTIFACTS };
      const database = await dumpDatabase(client, await folder.makeDatabase(id), lists, (done, total) =>
        report(done, total, 'tables'),
      );
      const base = {
        format: 1,
        id,
        createdAt,
        keys: this.keys.make(id),
        database,
        artifacts: null,
        faults: [],
      } as const;
      if (options.databaseOnly) return { manifest: base, copied: 0, kept: 0 };
      const { artifacts, faults, copied, kept } = await this.copy(ctx, folder, base, report);
      await requireBackup(client);
      return { manifest: { ...base, artifacts, faults }, copied, kept };
    });
    await folder.publish(made.manifest);
    await folder.tidy(made.manifest);
    const { artifacts, faults } = made.manifest;
    await this.record(ctx, 'backup.created', {
      backup_id: id,
      artifacts: artifacts?.count ?? null,
      faults: faults.length,
    });
    return { ...made, rows: made.manifest.database.tables.reduce((sum, { rows }) => sum + rows, 0) };
  }

  private async copy(
    ctx: RequestContext,
    folder: BackupFolder,
    manifest: Manifest,
    report: Report,
  ): Promise<Pick<Manifest, 'artifacts' | 'faults'> & { copied: number; kept: number }> {
    const store = await this.storage.storeOf(ctx, HOSTED);
    const total = manifest.database.lists[ARTIFACTS]?.rows ?? 0;
    const counts: Record<CopyOutcome, number> = { copied: 0, kept: 0, missing: 0, damaged: 0 };
    const faults: ArtifactFault[] = [];
    let [done, sizeBytes] = [0, 0];
    await inParallel(folder.listed(manifest), COPIES_AT_ONCE, async (artifact) => {
      const { key } = artifact;
      const outcome = await copyBlob({ store, key }, { store: folder.artifacts, key }, artifact);
      counts[outcome]++;
      if (outcome === 'missing' || outcome === 'damaged') {
        faults.push({ key, buildId: artifact.buildId, reason: outcome });
      } else sizeBytes += artifact.sizeBytes;
      report((done += 1), total, 'artifacts');
    });
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
