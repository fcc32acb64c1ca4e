import 'reflect-metadata';
import { StartupError } from '#kernel/errors/startup-error';
import { TracingConfig } from '#infra/config/config';
import { loadConfig } from '#infra/config/load-config';
import { loggableError } from '#infra/logging/loggable-error';
import { startTracing } from '#infra/tracing/start-tracing';

const asked = (flag: string): boolean => process.argv.includes(flag);

async function main(): Promise<void> {
  // Process 1 of a container is not told of signals that it does not listen for, and loading takes seconds. One that comes meanwhile is
  // delivered afterwards, when the service listens too and stops.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
  const config = loadConfig(undefined, { needsSecrets: !asked('--migrate-only') });
  const tracing = startTracing(config.get(TracingConfig));
  // Only now: tracing has to be there before what it watches.
  // eslint-disable-next-line @typescript-eslint/no-require-imports, @typescript-eslint/consistent-type-imports
  const { startService } = require('#app/service') as typeof import('#app/service');
  await startService({ config, tracing, seedDemo: asked('--demo'), migrateOnly: asked('--migrate-only') });
}

main().catch((error: unknown) => {
  // A person reads this: what is wrong and how to mend it, without a stack where it would not help.
  console.error(error instanceof StartupError ? `\n${error.message}\n` : loggableError(error));
  process.exit(1);
});
