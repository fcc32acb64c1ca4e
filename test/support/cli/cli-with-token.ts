import { type TestApp } from '../app/test-app';
import { AgateCli } from './agate-cli';

/** The command line with the token of a project. */
export const cliWithToken = (app: TestApp, token: string): Promise<AgateCli> =>
  AgateCli.create({ AGATE_URL: app.url, AGATE_TOKEN: token });
