import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ChannelJson, type Developer, type OrganizationRef, scope } from '../../../support/actors/actors';
import { startReachableApp } from '../../../support/app/reachable-app';
import { type TestApp } from '../../../support/app/test-app';
import { AgateCli, type CliResult } from '../../../support/cli/agate-cli';
import { type Answer, converse } from '../../../support/cli/conversation';

const WITHOUT_TOKEN: Answer = ['Create the token for the CI now?', ''];

describe('agate init in a terminal', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let cli: AgateCli;
  let folders = 0;
  beforeAll(async () => {
    app = await startReachableApp({ environment: { DASHBOARD: 'false' } });
    ann = await app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    await ann.createsChannel(await ann.createsProject(organization, 'Rocket'), 'Beta');
    cli = await AgateCli.create();
  });
  afterAll(async () => {
    cli?.remove();
    await app?.stop();
  });
  /** Runs it in an empty folder. */
  async function init(answers: readonly Answer[], ...args: string[]): Promise<CliResult & { readonly folder: string }> {
    const folder = `${(folders += 1)}`;
    mkdirSync(join(cli.work, folder));
    return { ...(await again(folder, answers, ...args)), folder };
  }
  const again = (folder: string, answers: readonly Answer[], ...args: string[]): Promise<CliResult> =>
    converse(cli, ['init', ...args], answers, { cwd: join(cli.work, folder) });
  const settings = (folder: string): unknown => JSON.parse(cli.read(`${folder}/.agate.json`));
  const projects = async (): Promise<{ id: string; name: string }[]> =>
    (
      (await ann.get(`/projects?organization_id=${organization.id}`).expect(200)).body as {
        items: { id: string; name: string }[];
      }
    ).items;

  it('logs in, and asks for everything that a repository needs', async () => {
    const { code, stdout, stderr, folder } = await init([
      ['Address of the service:', app.url],
      ['E-mail address:', ann.email],
      ['Password:', ann.password],
      ['a new project', '1'],
      ['a new channel', '1'],
      ['Which CI builds the app?', '4'],
      ['File or folder that the CI is to upload: [build]', 'out/app.apk'],
      ['Create the token for the CI now?', 'y'],
      ['E-mail address:', ann.email],
      ['Password:', ann.password],
    ]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(settings(folder)).toEqual({ url: app.url, organization: 'Acme', project: 'Rocket', channel: 'Beta' });
    expect(stdout).toContain('# Jenkins: add this to the stages of the Jenkinsfile.');
    expect(stdout).toContain('node agate.mjs upload out/app.apk');
    const [, token] = /AGATE_TOKEN=(ag_prj_\S+)/.exec(stdout)!;
    const { body } = await app.ci(token!).get('/credential').expect(200);
    expect(body).toMatchObject({ project: { name: 'Rocket' }, role: 'MANAGE_RELEASES' });
    expect(stderr).not.toContain(ann.password);
  });

  it('creates a project and a channel, takes the defaults, and makes no token without consent', async () => {
    const { code, stdout, stderr, folder } = await init(
      [
        ['a new project', '2'],
        ['Name of the new project:', 'Moon'],
        ['a new channel', '2'],
        ['Name of the new channel: [Beta]', ''],
        ['File or folder that the CI is to upload: [build]', ''],
        WITHOUT_TOKEN,
      ],
      ...['--url', app.url, '--ci', 'shell'],
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(settings(folder)).toMatchObject({ project: 'Moon', channel: 'Beta' });
    expect(stdout).not.toContain('AGATE_TOKEN=');
    expect(stderr).toContain('agate token create CI --role MANAGE_RELEASES');
    const moon = (await projects()).find(({ name }) => name === 'Moon')!;
    const { body } = await ann.get(`/channels?${scope({ ...moon, organizationId: organization.id })}`).expect(200);
    expect((body as { items: ChannelJson[] }).items).toMatchObject([{ name: 'Beta' }]);
  });

  it('asks again after an answer that is not one of the choices', async () => {
    const args = ['--url', app.url, '--project', 'Rocket', '--file', 'out'];
    const { code, stderr, stdout } = await init(
      [['a new channel', '9'], ['Enter a number from 1 to 3.', '2'], ['Which CI builds the app?', '1'], WITHOUT_TOKEN],
      ...args,
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain('# GitHub Actions');
  });

  it('replaces settings that exist only with consent, and before anything is created', async () => {
    const args = ['--url', app.url, '--project', 'Rocket', '--channel', 'Beta', '--ci', 'shell', '--file', 'out'];
    const { folder } = await init([WITHOUT_TOKEN], ...args);
    const refused = await again(folder, [['Replace it?', 'n']], '--project', 'Mars', '--create');
    expect([refused.code, refused.stderr]).toEqual([130, expect.stringContaining('Nothing was changed.')]);
    expect((await projects()).map(({ name }) => name)).not.toContain('Mars');
    const agreed = await again(folder, [['Replace it?', 'y'], WITHOUT_TOKEN], ...args.with(3, 'Moon'));
    expect({ code: agreed.code, stderr: agreed.stderr }).toMatchObject({ code: 0 });
    expect(settings(folder)).toMatchObject({ project: 'Moon' });
  });
});
