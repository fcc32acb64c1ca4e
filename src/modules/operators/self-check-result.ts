import { type SelfCheck } from '#modules/backups';
import { type OperatorResult } from './operator-command';

/** The self-checks as table rows. */
export const toSelfCheckResult = (checks: readonly SelfCheck[]): object[] =>
  checks.map(({ check, faults }) => ({
    check,
    status: faults.length === 0 ? 'passed' : 'failed',
    faults: faults.map((fault) =>
      Object.fromEntries(Object.entries(fault).map(([name, value]) => [snakeCase(name), toJsonValue(value)])),
    ),
  }));

/** True when a self-check failed. */
export const hasFailedCheck = (result: OperatorResult): boolean =>
  Array.isArray(result) && result.some((check) => (check as { status?: string }).status === 'failed');

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** JSON has no bigint. Positions of audit events fit into a number. */
const toJsonValue = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
