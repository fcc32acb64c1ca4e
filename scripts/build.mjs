// npm run build: builds the service, the dashboard, the command line and the documents. npm run build:dashboard: builds the dashboard only.
// npm run build:cli: builds the command line only, if its sources have changed.
import './support/node-version.mjs';
import { build, buildDashboardOnly, ensureCommandLineBuilt } from './support/builds.mjs';
import { step } from './support/progress.mjs';
import { run } from './support/project.mjs';

await run(() => {
  if (process.argv.includes('--cli')) return ensureCommandLineBuilt();
  return step('Building', process.argv.includes('--dashboard') ? buildDashboardOnly : build);
});
