import { takeFreePort } from '../processes/free-port';
import { TestApp, type TestAppOptions } from './test-app';

export interface ReachableApp extends TestApp {
  /** The base URL of its links. */
  readonly address: string;
}

export interface ReachableAppOptions extends TestAppOptions {
  /** The host name of its links. */
  readonly host?: string;
}

/** The application at an address that its own links lead to, as clients outside of the test need it. */
export async function startReachableApp(options: ReachableAppOptions = {}): Promise<ReachableApp> {
  const { environment, host = '127.0.0.1', ...others } = options;
  const port = String(await takeFreePort());
  const address = `http://${host}:${port}`;
  const app = await TestApp.start({ ...others, environment: { PORT: port, BASE_URL: address, ...environment } });
  return Object.assign(app, { address });
}
