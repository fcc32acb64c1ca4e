import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { ownerLabel } from '#modules/tokens';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type BuildChannel } from './build';

/** The columns that `BuildRelationsRepository.join` adds to a row. */
export interface RelationsRow {
  /** The name of the uploader; null when the account or the token was deleted. */
  readonly label: string | null;
  readonly channels: readonly BuildChannel[];
}

/** Reads what other tables say about builds. */
@Injectable()
export class BuildRelationsRepository {
  private channels = `'[]'::json`;

  constructor(private readonly transactions: Transactions) {}

  /**
   * Sets the SQL that reads the channels of a build. Their tables belong to an upper module.
   * @param expression SQL about a row `b` of `build`: a JSON array of `BuildChannel`, in the order of the names.
   */
  readChannelsBy(expression: string): void {
    this.channels = expression;
  }

  /** Joins a `RelationsRow` r to rows `b` that have the columns of `build`. With `OFFSET 0` it is computed once, however often it is used. */
  get join(): string {
    const label = ownerLabel('b.uploaded_by_kind', 'b.uploaded_by_id');
    return `CROSS JOIN LATERAL (SELECT ${label} AS label, ${this.channels} AS channels OFFSET 0) r`;
  }

  /** Missing ids are skipped. */
  find(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    ids: readonly string[],
  ): Promise<(RelationsRow & { readonly id: string })[]> {
    return rows(
      this.transactions.manager(ctx),
      `SELECT b.id, r.label, r.channels FROM build b ${this.join}
       WHERE b.organization_id = $1 AND b.project_id = $2 AND b.id = ANY ($3::uuid[])`,
      [organizationId, projectId, ids],
    );
  }
}
