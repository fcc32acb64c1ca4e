import { StartupError } from '#kernel/errors/startup-error';
import { RuntimeConfig } from '#infra/config/config';
import { type Config } from '#infra/config/load-config';

/** @throws StartupError in production, because the demo prints its credentials. */
export function refuseDemoInProduction(config: Config): void {
  if (config.get(RuntimeConfig).environment !== 'production') return;
  throw new StartupError('The demo does not run in production. Start without --demo: npm run build && npm start');
}
