import { readFileSync } from 'node:fs';
import ciInfo from 'ci-info';
import { gitIn } from './git';
import { type Machine } from './provider';

/** The machine that this process runs on. */
export const localMachine = (env: Machine['env'], cwd: string): Machine => ({
  env,
  readText: (path) => orNull(() => readFileSync(path, 'utf8')),
  otherCi: ciInfo.isCI ? (ciInfo.name ?? 'CI') : null,
  git: (...args) => gitIn(cwd)(...args) || null,
});

function orNull(read: () => string): string | null {
  try {
    return read() || null;
  } catch {
    return null;
  }
}
