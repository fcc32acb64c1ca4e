import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { changed, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { InstallLinksService } from '#modules/install-links';
import { AddressDigests } from '../suppressions/suppressions.repository';

interface UnfilledRow {
  readonly id: string;
  readonly projectId: string;
  readonly email: string;
}

/** Testers per transaction of the job. */
const FILLED_AT_ONCE = 500;

/** Completes rows of earlier releases. */
@Injectable()
export class TesterFillRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly digests: AddressDigests,
    private readonly links: InstallLinksService,
  ) {}

  /**
   * Adds the digest and the time of the last mail to rows of earlier releases, which have neither.
   * @returns how many rows it changed; 0 when none is left.
   */
  async fillNext(tx: RequestContext): Promise<number> {
    const manager = this.transactions.manager(tx);
    const unfilled = await rows<UnfilledRow>(
      manager,
      `SELECT id, project_id AS "projectId", email FROM tester WHERE address_digest IS NULL
       ORDER BY id LIMIT ${FILLED_AT_ONCE} FOR NO KEY UPDATE SKIP LOCKED`,
    );
    const ids = unfilled.map(({ id }) => id);
    const lastLinks = await this.links.lastOfTesters(tx, ids);
    return changed(
      manager,
      `UPDATE tester SET address_digest = filled.digest, invited_at = coalesce(tester.invited_at, filled.last_link_at)
       FROM unnest($1::uuid[], $2::bytea[], $3::timestamptz[]) AS filled (id, digest, last_link_at) WHERE tester.id = filled.id`,
      [ids, unfilled.map((row) => this.digests.of(row, row.email)), ids.map((id) => lastLinks.get(id) ?? null)],
    );
  }
}
