import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { root, SIGNALS } from './project.mjs';

const REPEAT_MS = 1_000;

/**
 * Runs a Node program in the project's folder to its end; its exit status becomes ours. It gets a process group of its own and
 * hears of a signal once, from us: at Ctrl-C the terminal signals everybody, npm passes it on as well, and a service takes the
 * second one for impatience.
 */
export function runToCompletion(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', detached: true });
    let lastSignalAt = -Infinity;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        const isEcho = performance.now() - lastSignalAt < REPEAT_MS;
        lastSignalAt = performance.now();
        if (!isEcho) child.kill(signal);
      });
    }
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.exitCode = code ?? 128 + constants.signals[signal];
      resolve();
    });
  });
}
