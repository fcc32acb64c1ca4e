import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { root, SIGNALS } from './project.mjs';

const REPEAT_MS = 1_000;

/**
 * Runs a Node program in the project folder until it exits; its exit status becomes ours. It has its own process group and
 * receives each signal once, from us: at Ctrl-C both the terminal and npm send signals, and the service treats a second
 * signal as an order to abort.
 * @param variables environment variables in addition to ours.
 */
export function runToCompletion(args, variables = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: 'inherit',
      detached: true,
      env: { ...process.env, ...variables },
    });
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
