import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';
import { type TestApp } from '../app/test-app';

/** A node of a plan that PostgreSQL has executed. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Runs work in a transaction, and explains and executes each of its statements. @returns the root of each plan. */
export async function plansOf(app: TestApp, work: (tx: RequestContext) => Promise<unknown>): Promise<PlanNode[]> {
  const transactions = app.nest.get(Transactions);
  const plans: PlanNode[] = [];
  await transactions.run(app.systemContext, async (tx) => {
    const manager = transactions.manager(tx);
    const query = manager.query.bind(manager) as (text: string, values?: unknown[]) => Promise<unknown>;
    manager.query = async <T>(text: string, values?: unknown[]): Promise<T> => {
      const explained = await query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
      plans.push((explained as [{ 'QUERY PLAN': [{ Plan: PlanNode }] }])[0]['QUERY PLAN'][0].Plan);
      return (await query(text, values)) as T;
    };
    await work(tx);
  });
  return plans;
}

const rowsOf = (node: PlanNode): number =>
  node['Actual Loops'] *
  (node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0));

/** The rows that all nodes of a plan returned or dropped: the work of a statement. It does not depend on the speed of the machine. */
export const rowsHandled = (node: PlanNode): number =>
  (node.Plans ?? []).reduce((sum, child) => sum + rowsHandled(child), rowsOf(node));

/** The rows that a plan read from tables, also those that a filter dropped. */
export const rowsRead = (node: PlanNode): number =>
  (node.Plans ?? []).reduce(
    (sum, child) => sum + rowsRead(child),
    node['Relation Name'] === undefined ? 0 : rowsOf(node),
  );
