import { Injectable } from '@nestjs/common';
import { type DeveloperOwned } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/** Reads what a revocation changes: the rows of the account, session or personal access token of a caller. */
@Injectable()
export class CredentialStatesRepository {
  constructor(private readonly transactions: Transactions) {}

  /** One text for each caller. It changes when a session ends, a token is revoked, rotated or deleted, or an account is suspended. */
  async of(ctx: RequestContext, callers: readonly DeveloperOwned[]): Promise<readonly string[]> {
    const states = await rows<{ state: string }>(
      this.transactions.manager(ctx),
      `SELECT ROW(d.id, d.min_issued_at, d.suspended_at, f.id, f.revoked_at, t.id, t.revoked_at, t.digest)::text AS state
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) WITH ORDINALITY AS c (developer_id, session_id, token_id, n)
       LEFT JOIN developer d ON d.id = c.developer_id
       LEFT JOIN refresh_family f ON f.id = c.session_id
       LEFT JOIN personal_access_token t ON t.id = c.token_id
       ORDER BY c.n`,
      [
        callers.map(({ developerId }) => developerId),
        callers.map((caller) => (caller.kind === 'jwt' ? (caller.sessionId ?? null) : null)),
        callers.map((caller) => (caller.kind === 'pat' ? caller.tokenId : null)),
      ],
    );
    return states.map(({ state }) => state);
  }
}
