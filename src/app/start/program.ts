import 'reflect-metadata';
import { StartupError } from '#kernel/errors/startup-error';
import { TracingConfig } from '#infra/config/config';
import { loadConfig } from '#infra/config/load-config';
import { loggableError } from '#infra/logging/loggable-error';
import { startTracing } from '#infra/tracing/start-tracing';
import { formatError } from '../cli/format-error';

const hasFlag = (flag: string): boolean => process.argv.includes(flag);

/** Runs the service with the options of the command line. A failed start exits with 1. */
export function run(): void {
  main().catch((error: unknown) => {
    // A StartupError explains itself and needs no stack.
    console.error(error instanceof StartupError ? `\n${error.message}\n` : loggableError(error));
    process.exit(1);
  });
}

/** Runs the operator command of the command line, and exits with its status. */
export function runOperatorCommand(): void {
  loadConsole()
    .runOperatorConsole(process.argv.slice(2))
    .then(
      (status) => process.exit(status),
      (error: unknown) => {
        process.stderr.write(formatError(error, { asJson: process.argv.includes('--json') }));
        process.exit(1);
      },
    );
}

/** Loads every module that a start needs, without starting the service. The build keeps the code that V8 compiles for it. */
export function load(): void {
  loadLaunch();
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it first
  require('#app/service');
  loadConsole();
}

async function main(): Promise<void> {
  // The kernel does not deliver signals without a handler to process 1 of a container, and loading takes seconds. A signal
  // that arrives while the event loop is blocked is delivered afterwards, when the service has installed its own handler.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
  // Libraries write to the console. When the reader of the log has exited, that must not end the process.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  const config = loadConfig(undefined, { needsSecrets: !hasFlag('--migrate-only') });
  const tracing = startTracing(config.get(TracingConfig));
  // Loaded here because tracing must be active before the modules that it instruments are loaded.
  await loadLaunch().launch({ config, tracing, seedDemo: hasFlag('--demo'), migrateOnly: hasFlag('--migrate-only') });
}

/* eslint-disable @typescript-eslint/no-require-imports, @typescript-eslint/consistent-type-imports -- an import would load it first */
const loadLaunch = () => require('#app/start/launch') as typeof import('#app/start/launch');
const loadConsole = () => require('#app/cli/operator-console') as typeof import('#app/cli/operator-console');
