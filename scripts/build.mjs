// npm run build: builds the service and the dashboard. npm run build:dashboard: builds the dashboard only.
import './support/node-version.mjs';
import { build, buildDashboardOnly } from './support/builds.mjs';
import { step } from './support/progress.mjs';
import { run } from './support/project.mjs';

await run(() => step('Building', process.argv.includes('--dashboard') ? buildDashboardOnly : build));
