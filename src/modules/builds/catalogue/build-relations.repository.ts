import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { ownerLabel } from '#modules/tokens';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type BuildChannel } from './build';

/** What the columns of `BuildRelationsRepository` contain. */
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
   * Tells how the channels of a build are read, whose tables belong to an upper module.
   * @param expression SQL about a row `b` of `build`: a JSON array of `BuildChannel`, in the order of the names.
   */
  readChannelsBy(expression: string): void {
    this.channels = expression;
  }

  /** The SQL of a `RelationsRow` about rows `b` that have the columns of `build`. */
  get columns(): { readonly [Name in keyof RelationsRow]: string } {
    return { label: ownerLabel('b.uploaded_by_kind', 'b.uploaded_by_id'), channels: this.channels };
  }

  /** Missing ids are skipped. */
  find(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    ids: readonly string[],
  ): Promise<(RelationsRow & { readonly id: string })[]> {
    const { label, channels } = this.columns;
    return rows(
      this.transactions.manager(ctx),
      `SELECT b.id, ${label} AS label, ${channels} AS channels FROM build b
       WHERE b.organization_id = $1 AND b.project_id = $2 AND b.id = ANY ($3::uuid[])`,
      [organizationId, projectId, ids],
    );
  }
}
