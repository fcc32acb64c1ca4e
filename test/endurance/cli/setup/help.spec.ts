import { type CliProject, startCliProject } from '../../../support/cli/cli-project';

describe('The help of the command line', () => {
  let stage: CliProject;
  let { app, cli } = {} as CliProject;
  beforeAll(async () => {
    stage = await startCliProject();
    ({ app, cli } = stage);
  });
  afterAll(() => stage.stop());

  it.each([
    ['installing', 'installing'],
    ['exit-codes', 'cli#output'],
    ['quota_exceeded', 'errors/quota_exceeded'],
    ['bundle_id_mismatch', 'errors/invalid_input#bundle_id_mismatch'],
    ['profile_expired', 'installing#profile_expired'],
    ['MAIL_URL', 'search?q=MAIL_URL'],
    ['what is a "channel"?', 'search?q=what%20is%20a%20%22channel%22%3F'],
    ['toString', 'search?q=toString'],
  ])('prints the address of the page about %s', async (topic, page) => {
    const { code, stdout } = await cli.run(['help', topic]);
    expect([code, stdout]).toEqual([0, `${app.url}/help/${page}\n`]);
    expect((await cli.run(['help', topic, '--json'])).json()).toEqual({ url: `${app.url}/help/${page}` });
  });

  it('describes a command, and lists commands without a topic', async () => {
    const { code, stdout } = await cli.run(['help', 'upload']);
    expect([code, stdout]).toEqual([0, (await cli.run(['upload', '--help'])).stdout]);
    expect((await cli.run(['help'])).stdout).toBe((await cli.run(['--help'])).stdout);
  });

  // red when: the address is printed for a service that does not serve the page there
  it('says where an error is explained', async () => {
    const { stderr } = await cli.run(['builds', 'show', '0b2f7b7e-5a4f-4f0e-9a0c-0d3b8a1c2d3e']);
    expect(stderr.trimEnd().split('\n').slice(-2)).toEqual([
      expect.stringMatching(/^Request: /),
      `See ${app.url}/help/errors/not_found`,
    ]);
  });

  it('names no page without a service, or for a service below a path', async () => {
    const below = await cli.run(['help', 'ci'], { environment: { AGATE_URL: `${app.url}/agate` } });
    expect([below.code, below.stderr]).toEqual([2, expect.stringContaining('serves no documents')]);
    const none = await cli.run(['help', 'ci'], { environment: { AGATE_URL: '', AGATE_TOKEN: '' } });
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('Set AGATE_URL')]);
  });
});
