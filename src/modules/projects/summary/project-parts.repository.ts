import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { ONE_PLAN } from '#infra/database/pool/statement-names';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/**
 * One module's data about projects: a value that PostgreSQL reads for each of them, and the fields that it becomes
 * (docs/decisions/0042-fields-from-upper-modules.md).
 */
export interface ProjectPart<Fields, Value> {
  /** An expression in SQL for a project `p`, which reads a few index entries. */
  readonly sql: string;
  toFields(value: Value, now: Date): Partial<Fields>;
}

/** Reads parts of projects. */
@Injectable()
export class ProjectPartsRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * All parts are read by one statement, because the round trip of a statement takes longer than its execution.
   * @returns the fields of each project, by its id.
   */
  async read<Fields>(
    ctx: RequestContext,
    organizationId: string,
    projectIds: readonly string[],
    parts: readonly ProjectPart<Fields, never>[],
  ): Promise<ReadonlyMap<string, Partial<Fields>>> {
    if (projectIds.length === 0 || parts.length === 0) return new Map();
    const now = ctx.clock.now();
    const columns = parts.map(({ sql }, at) => `${sql} AS part_${at}`);
    const found = await rows<{ readonly id: string } & Readonly<Record<string, never>>>(
      this.transactions.manager(ctx),
      `SELECT p.id, ${columns.join(', ')} FROM project p
       WHERE p.organization_id = $1 AND p.id = ANY ($2::uuid[]) ${ONE_PLAN}`,
      [organizationId, projectIds],
    );
    return new Map(
      found.map((row) => {
        const fields = parts.map((part, at) => part.toFields(row[`part_${at}`] as never, now));
        return [row.id, Object.assign({}, ...fields) as Partial<Fields>];
      }),
    );
  }
}
