import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import {
  type DeletableBuild,
  DeletableBuilds,
  type DeletionRange,
  type DeletionSums,
  type FirstBuilds,
  isLive,
  type RetentionRule,
  type Selection,
} from '#modules/builds';
import { matchingBranches } from './matching-branches';
import { selectByFilter, selectByRules, Values } from './selection-sql';

const MAX_SAMPLE = 100;

/** The branches of a project: one entry of the index is read for each. */
const BRANCHES = `
  WITH RECURSIVE branches AS (
    (SELECT branch FROM build WHERE project_id = $1 AND branch IS NOT NULL ORDER BY branch LIMIT 1)
    UNION ALL
    SELECT (SELECT b.branch FROM build b WHERE b.project_id = $1 AND b.branch > branches.branch ORDER BY b.branch LIMIT 1)
    FROM branches WHERE branches.branch IS NOT NULL)
  SELECT branch FROM branches WHERE branch IS NOT NULL`;

/** The part of the files of builds that is in the hosted store. */
const HOSTED = `FILTER (WHERE storage_account = 'hosted')`;

/** SQL of the number of the deletable builds and their `digestOfIds`. */
const SET = `count(*)::int AS builds, coalesce(sum(('x' || right(id::text, 12))::bit(48)::bigint), 0)::text AS digest`;

interface SumsRow {
  readonly builds: number;
  readonly kept: number;
  readonly bytes: string;
  readonly hostedBytes: string;
  readonly digest: string;
  readonly sample: readonly (Omit<DeletableBuild, 'uploadedAt'> & { readonly uploadedAt: string })[] | null;
}

@Injectable()
export class DeletableBuildsRepository extends DeletableBuilds {
  constructor(private readonly transactions: Transactions) {
    super();
  }

  async sum(ctx: RequestContext, scope: ProjectScope, selection: Selection): Promise<DeletionSums> {
    const { tables, values } = await this.select(ctx, scope, selection);
    const row = await one<SumsRow>(
      this.transactions.manager(ctx),
      `WITH ${tables}, files AS (
         SELECT storage_account, size_bytes FROM build WHERE id IN (SELECT id FROM deletable)
         UNION ALL
         SELECT storage_account, size_bytes FROM attachment WHERE build_id IN (SELECT id FROM deletable)
       ), found AS (SELECT ${SET} FROM deletable)
       SELECT (SELECT builds FROM found), (SELECT digest FROM found), (SELECT count(*)::int FROM judged WHERE kept) AS kept,
         coalesce(sum(size_bytes), 0) AS bytes, coalesce(sum(size_bytes) ${HOSTED}, 0) AS "hostedBytes",
         (SELECT json_agg(s) FROM (
            SELECT b.id, b.platform, b.version, b.build_number AS "buildNumber", b.branch, b.uploaded_at AS "uploadedAt",
                   b.size_bytes AS "sizeBytes"
            FROM build b WHERE b.id IN (SELECT id FROM deletable ORDER BY id LIMIT ${MAX_SAMPLE}) AND ${isLive('b')} ORDER BY b.id
          ) s) AS sample
       FROM files`,
      values.all,
    );
    if (!row) return { builds: 0, kept: 0, bytes: 0, hostedBytes: 0, digest: 0n, sample: [] };
    return {
      ...row,
      bytes: Number(row.bytes),
      hostedBytes: Number(row.hostedBytes),
      digest: BigInt(row.digest),
      sample: (row.sample ?? []).map((build) => ({ ...build, uploadedAt: new Date(build.uploadedAt) })),
    };
  }

  async first(ctx: RequestContext, scope: ProjectScope, selection: Selection, limit: number): Promise<FirstBuilds> {
    const { tables, values } = await this.select(ctx, scope, selection);
    const found = await one<Omit<FirstBuilds, 'digest'> & { readonly digest: string }>(
      this.transactions.manager(ctx),
      `WITH ${tables} SELECT ${SET},
         ARRAY(SELECT id::text FROM deletable ORDER BY id LIMIT ${values.add(limit, 'int')}) AS ids
       FROM deletable`,
      values.all,
    );
    return found ? { ...found, digest: BigInt(found.digest) } : { ids: [], builds: 0, digest: 0n };
  }

  async find(
    ctx: RequestContext,
    scope: ProjectScope,
    selection: Selection,
    { after, limit }: DeletionRange,
  ): Promise<readonly string[]> {
    const { tables, values } = await this.select(ctx, scope, selection);
    const from = values.add(after, 'uuid');
    const found = await rows<{ id: string }>(
      this.transactions.manager(ctx),
      `WITH ${tables} SELECT id FROM deletable WHERE ${from} IS NULL OR id > ${from} ORDER BY id LIMIT ${values.add(limit, 'int')}`,
      values.all,
    );
    return found.map(({ id }) => id);
  }

  async among(
    tx: RequestContext,
    scope: ProjectScope,
    rules: readonly RetentionRule[],
    ids: readonly string[],
  ): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    const { tables, values } = await this.select(tx, scope, { rules }, ids);
    const found = await rows<{ id: string }>(
      this.transactions.manager(tx),
      `WITH ${tables} SELECT id FROM deletable`,
      values.all,
    );
    return found.map(({ id }) => id);
  }

  async newestId(ctx: RequestContext, { organizationId, projectId }: ProjectScope): Promise<string | null> {
    const found = await one<{ id: string }>(
      this.transactions.manager(ctx),
      `SELECT b.id FROM build b WHERE b.organization_id = $1 AND b.project_id = $2 AND ${isLive('b')}
       ORDER BY b.project_id DESC, b.id DESC LIMIT 1`,
      [organizationId, projectId],
    );
    return found?.id ?? null;
  }

  private async select(
    ctx: RequestContext,
    scope: ProjectScope,
    selection: Selection,
    among?: readonly string[],
  ): Promise<{ readonly tables: string; readonly values: Values }> {
    const values = new Values(scope.organizationId, scope.projectId);
    if ('filter' in selection) {
      const { filter, newestId } = selection;
      const [branches = null] = await this.branchesOf(ctx, scope, [
        filter.branch === undefined ? null : [filter.branch],
      ]);
      return { tables: selectByFilter(filter, { branches, newestId }, values), values };
    }
    const { rules } = selection;
    const branchesOf = await this.branchesOf(
      ctx,
      scope,
      rules.map(({ branches }) => branches ?? null),
    );
    return { tables: selectByRules(rules, branchesOf, { now: ctx.clock.now(), values, among }), values };
  }

  /** The branches of the project that match each of the lists of patterns; null for a missing list. */
  private async branchesOf(
    ctx: RequestContext,
    { projectId }: ProjectScope,
    lists: readonly (readonly string[] | null)[],
  ): Promise<readonly (readonly string[] | null)[]> {
    if (lists.every((patterns) => patterns === null)) return lists;
    const found = await rows<{ branch: string }>(this.transactions.manager(ctx), BRANCHES, [projectId]);
    const branches = found.map(({ branch }) => branch);
    const matching: (readonly string[] | null)[] = [];
    for (const patterns of lists) matching.push(patterns && (await matchingBranches(patterns, branches, ctx.signal)));
    return matching;
  }
}
