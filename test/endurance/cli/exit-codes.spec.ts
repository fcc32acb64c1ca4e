import { type BuildJson, scope } from '../../support/actors/actors';
import { apk } from '../../support/artifacts/valid-artifacts';
import { type CliRunOptions } from '../../support/cli/agate-cli';
import { type CliProject, startCliProject } from '../../support/cli/cli-project';
import { takeFreePort } from '../../support/processes/free-port';
import { until } from '../../support/until';

const UPLOAD = ['upload', 'app.apk', '--json', '--retry-for', '1s'];

describe('The exit code of the command line', () => {
  let stage: CliProject;
  let { app, ann, project, beta, cli } = {} as CliProject;
  let build: BuildJson;
  let unreachable: string;
  beforeAll(async () => {
    stage = await startCliProject({ environment: { MAX_UPLOAD_BYTES: '1000000' } });
    ({ app, ann, project, beta, cli } = stage);
    unreachable = `http://127.0.0.1:${await takeFreePort()}`;
    build = await ann.uploads(project, { bytes: apk(), fileName: 'app.apk' });
    await ann.promotes(project, beta, build);
    cli.write('app.apk', apk());
    cli.write('broken.apk', apk().subarray(0, 700));
    cli.write('large.apk', Buffer.alloc(1_000_001));
  });
  afterAll(() => stage.stop());
  /** Expects the failure as the only JSON document on standard output, and its message on standard error. */
  const fails = async (expected: number, error: string, args: readonly string[], options: CliRunOptions = {}) => {
    const { code, json, stderr } = await cli.run(args, options);
    expect({ code, stderr }).toEqual({ code: expected, stderr: expect.stringContaining('error:') as string });
    const document = json<{ message: string }>();
    expect(document).toMatchObject({ error, message: expect.stringMatching(/\.$|\)$/) as string });
    expect(stderr).toContain(document.message);
  };

  it('is 3 when the service rejects the request', async () => {
    await fails(3, 'invalid_input', ['upload', 'broken.apk', '--json']);
    await fails(3, 'payload_too_large', ['upload', 'large.apk', '--json']);
    await fails(3, 'dependency_exists', ['builds', 'delete', build.id, '--yes', '--json']);
  });

  it('is 4 without a valid credential or the role', async () => {
    await fails(4, 'unauthorized', UPLOAD, { environment: { AGATE_TOKEN: '' } });
    const { body } = await ann.post(`/project-access-tokens?${scope(project)}`, { name: 'Gone', role: 'UPLOAD_BUILD' });
    const { id, token } = body as { id: string; token: string };
    await ann.delete(`/project-access-tokens/${id}?${scope(project)}`).expect(204);
    await fails(4, 'unauthorized', UPLOAD, { environment: { AGATE_TOKEN: token } });
    const AGATE_TOKEN = await ann.createsToken(project, 'UPLOAD_BUILD');
    await fails(4, 'insufficient_role', [...UPLOAD, '--channel', 'Beta'], { environment: { AGATE_TOKEN } });
  });

  // red when: the message advises an access JWT
  it('is 4 for a project access token where a person is needed, and names agate login', async () => {
    await fails(4, 'operation_not_allowed', ['retention', 'preview', '--json']);
    const { stderr } = await cli.run(['retention', 'preview']);
    expect(stderr).toContain('agate login');
    expect(stderr).not.toContain('JWT');
  });

  it('is 5 when the named object does not exist', async () => {
    await fails(5, 'not_found', [...UPLOAD, '--channel', 'Nowhere']);
    await fails(5, 'not_found', ['builds', 'show', project.id, '--json']);
  });

  it('is 6 without credit', async () => {
    const poor = await ann.createsOrganization();
    const broke = await ann.createsProject(poor);
    await app.sql('UPDATE billing_account SET balance_micro_usd = 0 WHERE organization_id = $1', [poor.id]);
    const AGATE_TOKEN = await ann.createsToken(broke, 'UPLOAD_BUILD');
    const { code, json } = await cli.run(UPLOAD, { environment: { AGATE_TOKEN } });
    await app.sql(
      'UPDATE billing_account SET balance_micro_usd = (SELECT sum(amount_micro_usd) FROM ledger_entry WHERE organization_id = $1) WHERE organization_id = $1',
      [poor.id],
    );
    expect(code).toBe(6);
    expect(json()).toMatchObject({ error: 'prepaid_credit_exhausted' });
  });

  it('is 7 when the service cannot be reached for as long as requests are repeated', async () => {
    await fails(7, 'network_error', UPLOAD, { environment: { AGATE_URL: unreachable } });
  });

  it('is 130 after an interruption', async () => {
    const waiting = cli.start([...UPLOAD, '--retry-for', '5m', '--debug'], {
      environment: { AGATE_URL: unreachable },
    });
    await until(() => waiting.stderr().includes('ECONNREFUSED'));
    waiting.child.kill('SIGINT');
    const { code, json } = await waiting.ended;
    expect({ code, document: json() }).toMatchObject({ code: 130, document: { error: 'interrupted' } });
  });
});
