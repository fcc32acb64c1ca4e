import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { step } from './progress.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
export const inRoot = (...names) => path.join(root, ...names);

/** An error that the user can fix. Printed without a stack. */
export class Failure extends Error {}

/** Runs the work of a script. An error is printed and gives exit status 1. */
export async function run(work) {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof Failure ? error.message : error);
    process.exitCode = 1;
  }
}

/** Installs the packages of package-lock.json unless exactly these are installed. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  const npm = process.env.npm_execpath;
  const [program, ...before] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  await withLock(() =>
    step('Installing packages', () => runQuietly(program, [...before, 'ci', '--include=dev', '--include=optional'])),
  );
}

/** @throws Failure unless exactly the packages of package-lock.json are installed. */
export function requireInstalled() {
  if (!isInstalled()) throw new Failure('The packages of package-lock.json are not installed. Run "npm ci" first.');
}

/** npm writes this record last, so an interrupted installation has none. */
function isInstalled() {
  const record = inRoot('node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const { packages: installed } = JSON.parse(readFileSync(record, 'utf8'));
  const { packages: wanted } = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'));
  return Object.entries(wanted).every(
    ([place, { version, integrity, optional, peer }]) =>
      place === '' ||
      (installed[place]
        ? installed[place].version === version && installed[place].integrity === integrity
        : optional || peer),
  );
}

/** Runs a program and shows its output only if it fails. The program ends with this process. */
export function runQuietly(program, args) {
  return new Promise((resolve, reject) => {
    let output = '';
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('error', (error) => reject(new Failure(`${program} cannot be run: ${error.message}`)));
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Failure(output.trimEnd() || `${program} failed.`)),
    );
    process.once('exit', () => child.kill());
  });
}

/** Prevents concurrent installations or builds in one folder. */
export async function withLock(work) {
  const lock = path.join(tmpdir(), `agate-${createHash('sha256').update(root).digest('hex').slice(0, 16)}.lock`);
  for (let attempt = 1; ; attempt += 1) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const pid = Number(readFileSync(lock, 'utf8'));
      if (attempt > 1 || isAlive(pid)) {
        throw new Failure(
          `Process ${pid} is installing or building in this folder. Wait until it ends. (Lock: ${lock})`,
        );
      }
      rmSync(lock, { force: true });
    }
  }
  const release = () => rmSync(lock, { force: true });
  const leave = () => process.exit(1);
  process.once('exit', release);
  for (const signal of SIGNALS) process.once(signal, leave);
  try {
    await work();
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, leave);
    process.removeListener('exit', release);
    release();
  }
}

function isAlive(pid) {
  if (!(pid > 0)) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
