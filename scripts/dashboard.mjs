// npm run dashboard: starts the service with demo data, and Vite in front of it, which shows changes of packages/dashboard at once.
import './support/node-version.mjs';
import path from 'node:path';
import { ensureServiceBuilt } from './support/builds.mjs';
import { runToCompletion } from './support/child.mjs';
import { ensureInstalled, root, run } from './support/project.mjs';

const { PORT = '3000' } = process.env;
/** The service's own address. Vite forwards to it all requests that are not for the dashboard (packages/dashboard/vite.config.ts). */
process.env.AGATE_URL ??= `http://localhost:${PORT}`;

await run(async () => {
  await ensureInstalled();
  await ensureServiceBuilt();
  const { createServer } = await import('vite');
  const vite = await createServer({ root: path.join(root, 'packages', 'dashboard'), configLoader: 'runner' });
  await vite.listen();
  const BASE_URL = `http://localhost:${vite.config.server.port}`;
  try {
    await runToCompletion(['dist/src/main.js', '--demo'], { PORT, BASE_URL });
  } finally {
    await vite.close();
  }
});
