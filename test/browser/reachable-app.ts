import { builtCommandLine } from '#app/command-line/serve-command-line';
import { builtDashboard } from '#app/dashboard/dashboard';
import { findFreePort } from '#infra/database/embedded/free-port';
import { TestApp } from '../support/app/test-app';

export interface ReachableApp extends TestApp {
  /** The base URL of its links. It contains a host name, because cookies and `Sec-Fetch-Site` depend on it. */
  readonly address: string;
}

/** Starts the application, with the dashboard and the command line if they were built, so that a browser reaches it at its configured `BASE_URL`. */
export async function startReachableApp(
  environment: Readonly<Record<string, string>> = {},
  host = 'localhost',
): Promise<ReachableApp> {
  const port = await findFreePort();
  const address = `http://${host}:${port}`;
  const app = await TestApp.start({
    environment: { PORT: String(port), BASE_URL: address, ...environment },
    dashboard: builtDashboard(),
    commandLine: builtCommandLine(),
  });
  return Object.assign(app, { address });
}
