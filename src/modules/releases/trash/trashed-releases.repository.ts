import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type ReleaseFacts } from '../release';

/** The releases of builds in the trash. */
@Injectable()
export class TrashedReleasesRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Keeps the releases of builds from becoming current until the transaction ends. @returns the builds that are current in a channel. */
  async lock(tx: RequestContext, buildIds: readonly string[]): Promise<readonly string[]> {
    const manager = this.transactions.manager(tx);
    await rows(manager, 'SELECT FROM release WHERE build_id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE', [buildIds]);
    const found = await rows<{ id: string }>(
      manager,
      `SELECT DISTINCT r.build_id AS id FROM release r JOIN current_release c ON c.release_id = r.id
       WHERE r.build_id = ANY ($1::uuid[])`,
      [buildIds],
    );
    return found.map(({ id }) => id);
  }

  /** Hides the releases of builds that move to the trash. */
  async hide(tx: RequestContext, buildIds: readonly string[]): Promise<void> {
    await rows(
      this.transactions.manager(tx),
      'UPDATE release SET deleted_at = $2 WHERE build_id = ANY ($1::uuid[]) AND deleted_at IS NULL',
      [buildIds, tx.clock.now()],
    );
  }

  /** The channels with hidden releases of builds. */
  async findChannels(tx: RequestContext, buildIds: readonly string[]): Promise<readonly string[]> {
    const found = await rows<{ id: string }>(
      this.transactions.manager(tx),
      `SELECT DISTINCT channel_id AS id FROM release
       WHERE build_id = ANY ($1::uuid[]) AND deleted_at IS NOT NULL ORDER BY channel_id`,
      [buildIds],
    );
    return found.map(({ id }) => id);
  }

  /**
   * Shows the hidden releases of builds again. Deletes those that would be current, because their channel has no release of the platform, or
   * an earlier one: the restoration of a build must not change what testers get. Keeps one that is current, because a process of the previous
   * release withdrew the release after it. The caller holds the locks of the channels.
   * @returns the deleted ones.
   */
  async show(tx: RequestContext, buildIds: readonly string[]): Promise<readonly ReleaseFacts[]> {
    const manager = this.transactions.manager(tx);
    const deleted = await rows<ReleaseFacts>(
      manager,
      `DELETE FROM release r WHERE r.build_id = ANY ($1::uuid[]) AND r.deleted_at IS NOT NULL AND NOT EXISTS (
         SELECT FROM current_release c JOIN release now ON now.id = c.release_id
         WHERE c.channel_id = r.channel_id AND c.platform = r.platform AND now.sequence >= r.sequence)
       RETURNING id, organization_id AS "organizationId", project_id AS "projectId", channel_id AS "channelId",
         build_id AS "buildId", platform, sequence`,
      [buildIds],
    );
    await rows(manager, 'UPDATE release SET deleted_at = NULL WHERE build_id = ANY ($1::uuid[])', [buildIds]);
    return deleted;
  }

  /** Deletes the hidden releases of a channel. */
  async deleteOfChannel(
    tx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    channelId: string,
  ): Promise<void> {
    await rows(
      this.transactions.manager(tx),
      `DELETE FROM release WHERE organization_id = $1 AND project_id = $2 AND channel_id = $3 AND deleted_at IS NOT NULL`,
      [organizationId, projectId, channelId],
    );
  }
}
