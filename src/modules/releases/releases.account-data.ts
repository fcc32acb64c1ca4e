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
        promoted_at, c.release_id IS NOT NULL AS current FROM release r LEFT JOIN current_release c ON c.release_id = r.id
        WHERE ${OWN}`,
    },
    exportedTable('release_mails', 'Mails to testers about releases.', {
      from: 'release_mail',
      columns: 'project_id, release_id, tester_id, queued_at, due_at, failed_at, reminded_at, reminder_due_at',
      where: OWN,
    }),
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
