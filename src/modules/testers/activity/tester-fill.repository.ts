import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { changed, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { AddressDigests } from '../subscriptions/suppressions.repository';

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
    return changed(
      manager,
      `UPDATE tester SET address_digest = filled.digest, invited_at = coalesce(
         tester.invited_at, (SELECT max(created_at) FROM invite WHERE invite.tester_id = tester.id))
       FROM unnest($1::uuid[], $2::bytea[]) AS filled (id, digest) WHERE tester.id = filled.id`,
      [unfilled.map(({ id }) => id), unfilled.map((row) => this.digests.of(row, row.email))],
    );
  }
}
