import { ExitCode } from './output/cli-error';
import { run } from './run';
import { forgetUnsetVariables } from './settings/variables';

/** The time that a command may take to stop after an interruption. */
const GRACE_MS = 10_000;

const interruption = new AbortController();
let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (isInterrupted) process.exit(ExitCode.interrupted);
    isInterrupted = true;
    interruption.abort();
    setTimeout(() => process.exit(ExitCode.interrupted), GRACE_MS).unref();
  });
}
// The reader of a pipe may close it early, as `head` does.
process.stdout.on('error', () => process.exit(ExitCode.done));
// Standard output is only for the result, so the logs of libraries are kept out of it.
console.log = console.error;
console.info = console.error;

forgetUnsetVariables(process.env);
const exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  cwd: process.cwd(),
  // Standard input is opened only by commands that read it.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  signal: interruption.signal,
  now: Date.now,
});
// Idle connections would keep the process alive.
process.exit(exitCode);
