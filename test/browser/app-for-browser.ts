import { builtCommandLine } from '#app/command-line/serve-command-line';
import { builtDashboard } from '#app/dashboard/dashboard';
import { builtHelp } from '#app/help/serve-help';
import { type ReachableApp, startReachableApp } from '../support/app/reachable-app';

/**
 * Starts the application for a browser, with the dashboard, the command line and the documents if they were built. The address of its links has a host
 * name, because cookies and `Sec-Fetch-Site` depend on it.
 */
export const startAppForBrowser = (
  environment: Readonly<Record<string, string>> = {},
  host = 'localhost',
): Promise<ReachableApp> =>
  startReachableApp({
    environment,
    host,
    dashboard: builtDashboard(),
    commandLine: builtCommandLine(),
    help: builtHelp(),
  });
