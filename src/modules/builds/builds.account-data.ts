import { Injectable } from '@nestjs/common';
import { type AccountErasure, type ExportedFiles, exportedTable, type OrganizationSize } from '#kernel/account-data';
import { type RequestContext } from '#kernel/context/request-context';
import { Hook } from '#kernel/hook';
import { BillingService } from '#modules/billing';
import { type BlobPlace, HOSTED, type StorageAccount, StorageService } from '#modules/storage';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { buildDeviceContext } from './devices/build-devices.repository';

const OWN = 'organization_id = $1';

export const BUILDS_FILES: ExportedFiles = {
  organization: [
    exportedTable('bundle_ids', 'The app of each project and platform, pinned by its first build.', {
      from: 'pinned_bundle_id',
      columns: 'project_id, platform, bundle_id',
      where: OWN,
    }),
    exportedTable('builds', 'The builds. With `--artifacts`, the artifact of a build is `artifacts/<id>`.', {
      from: 'build',
      columns: `id, project_id, platform, version, build_number, notes, uploaded_at, uploaded_by_kind, uploaded_by_id, file_name,
        size_bytes, encode(sha256, 'hex') AS sha256, encode(sha512, 'hex') AS sha512, storage_account, artifact, icon_media_type, branch, "commit", ci_url,
        pull_request_number, pull_request_url, original_uploaded_at,
        upload_warnings, downloads_total, downloads_unique_testers`,
      where: OWN,
    }),
    exportedTable('build_details', 'Permissions, entitlements and contents of the apps.', {
      from: 'build_detail',
      columns: 'build_id, project_id, details',
      where: OWN,
    }),
    {
      ...exportedTable('build_devices', 'The devices in the provisioning profiles of the builds.', {
        from: 'build_device',
        columns: 'id, build_id, project_id, udid_sealed',
        where: OWN,
      }),
      sealed: { column: 'udid_sealed', as: 'udid', contextOf: buildDeviceContext },
    },
    exportedTable('build_downloads', 'The downloads of builds: time, progress and install link.', {
      from: 'build_download',
      columns: `id, project_id, build_id, minted_by_kind, minted_by_id, tester_id, channel_id, device_family, started_at, completed_at,
        served_bytes`,
      where: OWN,
    }),
    exportedTable('build_installations', 'When installed apps first reported to run a build.', {
      from: 'build_installation',
      columns: 'build_id, project_id, reported_at',
      where: OWN,
    }),
    exportedTable('resumable_uploads', 'Resumable uploads: in progress, or completed in the last days.', {
      from: 'resumable_upload',
      columns:
        'id, project_id, file_name, size_bytes, draft, build_id, release_id, created_by_kind, created_by_id, created_at, completed_at',
      where: OWN,
    }),
  ],
  developer: [
    exportedTable('builds_uploaded', 'Builds that they uploaded.', {
      from: 'build',
      columns: 'id, organization_id, project_id, file_name, version, uploaded_at',
      where: `uploaded_by_kind = 'developer' AND uploaded_by_id = $1`,
    }),
    exportedTable('downloads', 'Builds that they downloaded.', {
      from: 'build_download',
      columns: 'id, organization_id, build_id, device_family, started_at, completed_at',
      where: `minted_by_kind = 'developer' AND minted_by_id = $1`,
    }),
  ],
};

/** The files of an organization's builds (`$1`), for an export with artifacts. */
export const EXPORTED_ARTIFACTS = {
  /** Columns: id, account, key. */
  blobs: `SELECT id, storage_account AS account, blob_key AS key FROM build WHERE ${OWN}`,
  /** Columns: id, data. */
  icons: `SELECT b.id, i.data FROM build_icon i JOIN build b ON b.id = i.build_id WHERE b.${OWN}`,
  /** Column: builds. */
  count: `SELECT count(*)::int AS builds FROM build WHERE ${OWN}`,
} as const;

/** A transaction deletes at most this many builds, so that the locks on their rows are short. */
const BATCH_SIZE = 100;

interface StoredBuild {
  readonly id: string;
  readonly account: StorageAccount;
  readonly key: string;
}

interface RelocationRow {
  readonly fromAccount: StorageAccount;
  readonly fromKey: string;
  readonly toAccount: StorageAccount;
  readonly toKey: string;
}

@Injectable()
export class BuildsErasure implements AccountErasure {
  /** Deletes the rows of upper modules that keep these builds from being deleted. The builds are locked. */
  readonly beforeDelete = new Hook<[tx: RequestContext, buildIds: readonly string[]]>();

  readonly batches = {
    of: 'builds',
    erase: (tx: RequestContext, organizationId: string) => this.eraseBatch(tx, organizationId),
  } as const;

  constructor(
    private readonly transactions: Transactions,
    private readonly billing: BillingService,
    private readonly storage: StorageService,
  ) {}

  async measure(ctx: RequestContext, organizationId: string): Promise<Partial<OrganizationSize>> {
    const row = await one<{ builds: number; bytes: string }>(
      this.transactions.manager(ctx),
      `SELECT count(*)::int AS builds, coalesce(sum(size_bytes), 0)::text AS bytes FROM build WHERE ${OWN}`,
      [organizationId],
    );
    return row ? { builds: row.builds, buildBytes: Number(row.bytes) } : {};
  }

  /** Ends the leases of running uploads, which the sweep then cancels, and removes the names and texts that they hold. */
  async endAccess(tx: RequestContext, organizationId: string): Promise<void> {
    const database = this.transactions.manager(tx);
    await rows(database, `UPDATE resumable_upload SET file_name = 'erased', draft = '{}' WHERE ${OWN}`, [
      organizationId,
    ]);
    await rows(
      database,
      `UPDATE artifact_upload SET leased_until = least(leased_until, $2) WHERE ${OWN} AND state = 'pending'`,
      [organizationId, tx.clock.now()],
    );
  }

  /** Counts the uploads into the organization's own storage that the sweep has still to cancel. */
  async countPending(ctx: RequestContext, organizationId: string): Promise<number> {
    const row = await one<{ uploads: number }>(
      this.transactions.manager(ctx),
      `SELECT count(*)::int AS uploads FROM artifact_upload WHERE ${OWN} AND storage_account <> $2`,
      [organizationId, HOSTED],
    );
    return row?.uploads ?? 0;
  }

  /** An upload that started before access ended may have created a build after the batches. */
  async eraseRest(tx: RequestContext, organizationId: string): Promise<void> {
    while ((await this.eraseBatch(tx, organizationId)) > 0);
  }

  private async eraseBatch(tx: RequestContext, organizationId: string): Promise<number> {
    const builds = await this.lockBuilds(tx, organizationId);
    const ids = builds.map(({ id }) => id);
    await this.beforeDelete.run(tx, ids);
    await rows(this.transactions.manager(tx), `DELETE FROM build WHERE id = ANY ($1)`, [ids]);
    for (const { id, account, key } of builds) {
      await this.billing.endStorage(tx, organizationId, id);
      await this.storage.deleteLater(tx, { account, key });
    }
    // `abortLater`, because an interrupted relocation may have left uploaded parts.
    for (const place of await this.deleteRelocations(tx, organizationId)) {
      await this.storage.abortLater(tx, place, null);
    }
    return builds.length;
  }

  private lockBuilds(tx: RequestContext, organizationId: string): Promise<StoredBuild[]> {
    return rows<StoredBuild>(
      this.transactions.manager(tx),
      `SELECT id, storage_account AS account, blob_key AS key FROM build WHERE ${OWN} ORDER BY id LIMIT $2 FOR UPDATE`,
      [organizationId, BATCH_SIZE],
    );
  }

  /** @returns every place where a relocation may have left a blob. */
  private async deleteRelocations(tx: RequestContext, organizationId: string): Promise<BlobPlace[]> {
    const deleted = await rows<RelocationRow>(
      this.transactions.manager(tx),
      `DELETE FROM build_move WHERE ${OWN} RETURNING from_account AS "fromAccount", from_key AS "fromKey",
         to_account AS "toAccount", to_key AS "toKey"`,
      [organizationId],
    );
    return deleted.flatMap(({ fromAccount, fromKey, toAccount, toKey }) => [
      { account: fromAccount, key: fromKey },
      { account: toAccount, key: toKey },
    ]);
  }
}
