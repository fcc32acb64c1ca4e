import { type Context } from '../../context';
import { type ImportPlan, type PlannedBuild } from '../../imports/plan/import-plan';
import { tableOf } from '../../output/table';

/** Prints what an import would do. */
export function printPlan(context: Context, plan: ImportPlan): void {
  for (const remark of plan.remarks) context.output.warn(remark);
  context.output.print(plan, tableOf(plan.builds.map(rowOf)));
}

const rowOf = ({ uploaded_at, file, version, build_number, releases }: PlannedBuild): string[] => [
  uploaded_at?.slice(0, 10) ?? '',
  file,
  [version, build_number === null ? null : `(${build_number})`].filter(Boolean).join(' '),
  releases.map(({ channel }) => channel).join(', '),
];
