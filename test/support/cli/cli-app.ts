import { findFreePort } from '#infra/database/embedded/free-port';
import { type ProjectRef } from '../actors/actors';
import { TestApp, type TestAppOptions } from '../app/test-app';
import { AgateCli } from './agate-cli';

/** The application at an address that its own links lead to, as clients outside of the test need it. */
export async function startReachableApp({ environment, ...options }: TestAppOptions = {}): Promise<TestApp> {
  const port = String(await findFreePort());
  const address = { PORT: port, BASE_URL: `http://127.0.0.1:${port}` };
  return TestApp.start({ ...options, environment: { ...address, ...environment } });
}

/** The command line with the token of a project. */
export const cliWithToken = (app: TestApp, token: string): Promise<AgateCli> =>
  AgateCli.create({ AGATE_URL: app.url, AGATE_TOKEN: token });

/** A project, and the command line with a token for it. */
export interface CliProject {
  readonly project: ProjectRef;
  readonly cli: AgateCli;
}
