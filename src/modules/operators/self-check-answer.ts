import { type SelfCheck } from '#modules/backups';
import { type OperatorAnswer } from './operator-command';

/** Proofs as a table. */
export const checksAnswer = (checks: readonly SelfCheck[]): object[] =>
  checks.map(({ check, faults }) => ({
    check,
    status: faults.length === 0 ? 'passed' : 'failed',
    faults: faults.map((fault) =>
      Object.fromEntries(Object.entries(fault).map(([name, value]) => [snakeCase(name), plain(value)])),
    ),
  }));

/** Whether a proof failed. */
export const foundSomething = (answer: OperatorAnswer): boolean =>
  Array.isArray(answer) && answer.some((check) => (check as { status?: string }).status === 'failed');

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** Positions are beyond what JSON counts to. */
const plain = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
