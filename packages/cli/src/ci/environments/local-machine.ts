import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ciInfo from 'ci-info';
import { type Machine } from './provider';

/** The machine that this process runs on. */
export const localMachine = (env: Machine['env'], cwd: string): Machine => ({
  env,
  readText: (path) => orNull(() => readFileSync(path, 'utf8')),
  otherCi: ciInfo.isCI ? (ciInfo.name ?? 'CI') : null,
  git: (...args) =>
    orNull(() =>
      execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 10_000 }).trim(),
    ),
});

function orNull(read: () => string): string | null {
  try {
    return read() || null;
  } catch {
    return null;
  }
}
