import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type ExportedFiles, exportedTable } from '#kernel/account-data';
import { type RequestContext } from '#kernel/context/request-context';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { BuildsErasure } from '#modules/builds';

const OWN = 'organization_id = $1';

export const RELEASES_FILES: ExportedFiles = {
  organization: [
    {
      name: 'releases',
      describe: 'Builds promoted to channels. `current` marks the release that the channel shows.',
      tables: ['release', 'current_release'],
      sql: `SELECT id, project_id, r.channel_id, build_id, r.platform, sequence, notes, notify, mandatory, promoted_by_kind, promoted_by_id,
        promoted_at, r.deleted_at, c.release_id IS NOT NULL AS current FROM release r LEFT JOIN current_release c ON c.release_id = r.id
        WHERE ${OWN}`,
      key: ['project_id', 'id'],
    },
    {
      name: 'release_mails',
      describe: 'Mails to testers about releases.',
      tables: ['release_mail', 'release'],
      sql: `SELECT m.project_id, m.release_id, m.tester_id, m.queued_at, m.due_at, m.failed_at, m.reminded_at, m.reminder_due_at
        FROM release r JOIN release_mail m ON m.release_id = r.id WHERE r.organization_id = $1`,
      key: ['r.project_id', 'r.id', 'm.tester_id'],
    },
  ],
  developer: [
    exportedTable('releases_promoted', 'Builds that they promoted.', {
      from: 'release',
      columns: 'id, organization_id, project_id, channel_id, build_id, promoted_at',
      where: `promoted_by_kind = 'developer' AND promoted_by_id = $1`,
    }),
  ],
};

/** A current release keeps its build from being deleted. An erasure deletes both. */
@Injectable()
export class ReleasesErasure implements OnModuleInit {
  constructor(
    private readonly transactions: Transactions,
    private readonly builds: BuildsErasure,
  ) {}

  onModuleInit(): void {
    this.builds.beforeDelete.add((tx, buildIds) => this.deleteCurrentReleases(tx, buildIds));
  }

  private async deleteCurrentReleases(tx: RequestContext, buildIds: readonly string[]): Promise<void> {
    await rows(
      this.transactions.manager(tx),
      `DELETE FROM current_release WHERE release_id IN (SELECT id FROM release WHERE build_id = ANY ($1))`,
      [buildIds],
    );
  }
}
