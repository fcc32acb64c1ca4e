import { Injectable } from '@nestjs/common';
import {
  type AccountErasure,
  type ExportedFile,
  type ExportedFiles,
  exportedTable,
  type OrganizationSize,
} from '#kernel/account-data';
import { type RequestContext } from '#kernel/context/request-context';
import { Hook } from '#kernel/hook';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { BillingService } from '#modules/billing';
import { type BlobPlace, type StorageAccount, StorageService } from '#modules/storage';
import { AttachmentsService } from './attachments/attachments.service';
import { buildDeviceContext } from './devices/build-devices.repository';

const OWN = 'organization_id = $1';

/** A file of a table whose rows belong to builds. Read from build to build, because its indexes begin with the build. */
const ofBuilds = (
  name: string,
  describe: string,
  { from, columns, key }: { readonly from: string; readonly columns: string; readonly key: readonly string[] },
): ExportedFile => ({
  name,
  describe,
  tables: [from, 'build'],
  sql: `SELECT ${columns} FROM build b JOIN ${from} x ON x.build_id = b.id WHERE b.organization_id = $1`,
  key: ['x.build_id', ...key],
  parent: 'b.id',
});

export const BUILDS_FILES: ExportedFiles = {
  organization: [
    exportedTable('bundle_ids', 'The app of each project and platform, pinned by its first build.', {
      from: 'pinned_bundle_id',
      columns: 'project_id, platform, bundle_id',
      where: OWN,
      key: ['project_id', 'platform'],
    }),
    exportedTable(
      'builds',
      'The builds, also those in the trash (`deleted_at`). With `--artifacts`, the artifact of a build is `artifacts/<id>`.',
      {
        from: 'build',
        columns: `id, project_id, platform, version, build_number, notes, uploaded_at, uploaded_by_kind, uploaded_by_id, file_name,
        size_bytes, encode(sha256, 'hex') AS sha256, encode(sha512, 'hex') AS sha512, storage_account, artifact, icon_media_type, branch, "commit", ci_url,
        pull_request_number, pull_request_url, original_uploaded_at, deleted_at, pinned, expires_at,
        upload_warnings, downloads_total, downloads_unique_testers`,
        where: OWN,
      },
    ),
    exportedTable('retention', 'The rules by which builds of projects are deleted.', {
      from: 'retention',
      columns: 'project_id, enabled, rules, updated_at',
      where: OWN,
      key: ['project_id'],
    }),
    exportedTable('attachments', 'The files beside the artifacts. With `--artifacts`, each is `artifacts/<id>`.', {
      from: 'attachment',
      columns: `id, project_id, build_id, kind, arch, file_name, size_bytes, encode(sha256, 'hex') AS sha256,
        encode(sha512, 'hex') AS sha512, signature, storage_account, uploaded_by_kind, uploaded_by_id, created_at`,
      where: OWN,
    }),
    ofBuilds('build_details', 'Permissions, entitlements and contents of the apps.', {
      from: 'build_detail',
      columns: 'x.build_id, x.project_id, x.details',
      key: [],
    }),
    ofBuilds('build_changes', 'Commits since the previous builds, and titles of pull requests.', {
      from: 'build_change',
      columns: 'x.build_id, x.project_id, x.pull_request_title, x.commits, x.commits_since',
      key: [],
    }),
    {
      ...ofBuilds('build_devices', 'The devices in the provisioning profiles of the builds.', {
        from: 'build_device',
        columns: 'x.id, x.build_id, x.project_id, x.udid_sealed',
        key: ['x.id'],
      }),
      sealed: { column: 'udid_sealed', as: 'udid', contextOf: buildDeviceContext },
    },
    ofBuilds('build_downloads', 'The downloads of builds: time, progress and install link.', {
      from: 'build_download',
      columns: `x.id, x.project_id, x.build_id, x.minted_by_kind, x.minted_by_id, x.tester_id, x.channel_id, x.link_id, x.device_family, x.started_at,
        x.completed_at, x.served_bytes`,
      key: ['x.id'],
    }),
    ofBuilds('build_installations', 'When installed apps first reported to run a build.', {
      from: 'build_installation',
      columns: 'x.build_id, x.project_id, x.reported_at',
      key: [`encode(x.digest, 'hex')`],
    }),
  ],
  developer: [
    exportedTable('builds_uploaded', 'Builds that they uploaded.', {
      from: 'build',
      columns: 'id, organization_id, project_id, file_name, version, uploaded_at',
      where: `uploaded_by_kind = 'developer' AND uploaded_by_id = $1`,
    }),
    exportedTable('attachments_uploaded', 'Files that they added to builds.', {
      from: 'attachment',
      columns: 'id, organization_id, project_id, build_id, kind, file_name, created_at',
      where: `uploaded_by_kind = 'developer' AND uploaded_by_id = $1`,
    }),
    exportedTable('downloads', 'Builds that they downloaded.', {
      from: 'build_download',
      columns: 'id, organization_id, build_id, device_family, started_at, completed_at',
      where: `minted_by_kind = 'developer' AND minted_by_id = $1`,
    }),
  ],
};

/** A transaction deletes at most this many builds, so that the locks on their rows are short. */
const BATCH_SIZE = 250;

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
    private readonly attachments: AttachmentsService,
  ) {}

  async measure(ctx: RequestContext, organizationId: string): Promise<Partial<OrganizationSize>> {
    const row = await one<{ builds: number; bytes: string }>(
      this.transactions.manager(ctx),
      `SELECT (SELECT count(*)::int FROM build WHERE ${OWN}) AS builds, coalesce(sum(size_bytes), 0)::text AS bytes FROM (
         SELECT size_bytes FROM build WHERE ${OWN} UNION ALL SELECT size_bytes FROM attachment WHERE ${OWN}) stored`,
      [organizationId],
    );
    return row ? { builds: row.builds, buildBytes: Number(row.bytes) } : {};
  }

  /** An upload that started before access ended may have created a build after the batches. */
  async eraseRest(tx: RequestContext, organizationId: string): Promise<void> {
    while ((await this.eraseBatch(tx, organizationId)) > 0);
  }

  private async eraseBatch(tx: RequestContext, organizationId: string): Promise<number> {
    const builds = await this.lockBuilds(tx, organizationId);
    const ids = builds.map(({ id }) => id);
    await this.beforeDelete.run(tx, ids);
    const attachments = await this.attachments.deleteOfBuilds(tx, ids);
    await rows(this.transactions.manager(tx), `DELETE FROM build WHERE id = ANY ($1)`, [ids]);
    await this.storage.deleteAllLater(tx, builds);
    await this.attachments.clear(tx, attachments);
    await this.billing.endStorage(tx, organizationId, ids);
    await this.attachments.deleteUnattached(tx, organizationId);
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
