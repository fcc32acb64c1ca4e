import 'reflect-metadata';
import { StartupError } from '#kernel/errors/startup-error';
import { TracingConfig } from '#infra/config/config';
import { loadConfig } from '#infra/config/load-config';
import { loggableError } from '#infra/logging/loggable-error';
import { startTracing } from '#infra/tracing/start-tracing';

const hasFlag = (flag: string): boolean => process.argv.includes(flag);

async function main(): Promise<void> {
  // The kernel does not deliver signals without a handler to process 1 of a container, and loading takes seconds. A signal
  // that arrives while the event loop is blocked is delivered afterwards, when the service has installed its own handler.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
  const config = loadConfig(undefined, { needsSecrets: !hasFlag('--migrate-only') });
  const tracing = startTracing(config.get(TracingConfig));
  // Loaded here because tracing must be active before the modules that it instruments are loaded.
  // eslint-disable-next-line @typescript-eslint/no-require-imports, @typescript-eslint/consistent-type-imports
  const { launch } = require('#app/start/launch') as typeof import('#app/start/launch');
  await launch({ config, tracing, seedDemo: hasFlag('--demo'), migrateOnly: hasFlag('--migrate-only') });
}

main().catch((error: unknown) => {
  // A StartupError explains itself and needs no stack.
  console.error(error instanceof StartupError ? `\n${error.message}\n` : loggableError(error));
  process.exit(1);
});
