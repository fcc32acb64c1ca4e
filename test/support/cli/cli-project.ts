import { type ChannelJson, type Developer, type OrganizationRef, type ProjectRef } from '../actors/actors';
import { verifiedDeveloper } from '../actors/tenant';
import { type ReachableApp, startReachableApp } from '../app/reachable-app';
import { type TestAppOptions } from '../app/test-app';
import { type AgateCli } from './agate-cli';
import { cliWithToken } from './cli-with-token';

/** A service, a project on the business plan with the channel "Beta", and the command line with a token of the project. */
export interface CliProject {
  readonly app: ReachableApp;
  readonly ann: Developer;
  readonly organization: OrganizationRef;
  readonly project: ProjectRef;
  readonly beta: ChannelJson;
  /** With the role `MANAGE_RELEASES`. */
  readonly token: string;
  readonly cli: AgateCli;
  readonly stop: () => Promise<void>;
}

export async function startCliProject(options: TestAppOptions = {}): Promise<CliProject> {
  const app = await startReachableApp(options);
  const ann = await verifiedDeveloper(app);
  const organization = await ann.createsOrganization();
  await ann.changesPlan(organization, 'business');
  const project = await ann.createsProject(organization);
  const beta = await ann.createsChannel(project, 'Beta');
  const token = await ann.createsToken(project, 'MANAGE_RELEASES');
  const cli = await cliWithToken(app, token);
  const stop = async (): Promise<void> => {
    cli.remove();
    await app.stop();
  };
  return { app, ann, organization, project, beta, token, cli, stop };
}
