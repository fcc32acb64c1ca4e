import { findFreePort } from '#platform/database/free-port';
import { TestApp } from '../support/test-app';

export interface ReachableApp extends TestApp {
  /** Where its links lead: a name, as cookies and `Sec-Fetch-Site` care for names. */
  readonly address: string;
}

/** The application under the address that its configuration says. */
export async function startReachableApp(): Promise<ReachableApp> {
  const port = await findFreePort();
  const address = `http://localhost:${port}`;
  const app = await TestApp.start({ environment: { PORT: String(port), BASE_URL: address } });
  return Object.assign(app, { address });
}
