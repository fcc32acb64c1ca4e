import { findFreePort } from '#infra/database/embedded/free-port';
import { TestApp } from '../support/app/test-app';

export interface ReachableApp extends TestApp {
  /** Where its links lead: a name, as cookies and `Sec-Fetch-Site` care for names. */
  readonly address: string;
}

/** The application under the address that its configuration says. */
export async function startReachableApp(environment: Readonly<Record<string, string>> = {}): Promise<ReachableApp> {
  const port = await findFreePort();
  const address = `http://localhost:${port}`;
  const app = await TestApp.start({ environment: { PORT: String(port), BASE_URL: address, ...environment } });
  return Object.assign(app, { address });
}
