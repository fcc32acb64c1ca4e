import { type Developer, type OrganizationRef, type ProjectRef } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';
import { apkOf, ipaOf } from '../../../support/artifacts/app-artifacts';
import { AgateCli } from '../../../support/cli/agate-cli';
import { takeFreePort } from '../../../support/processes/free-port';
import { TlsFront, type TlsFrontOptions } from '../../../support/servers/proxies/tls-front';

interface CheckJson {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly message: string;
  readonly remedy: string | null;
}

const FACTS = { name: 'Rocket', bundleId: 'com.example.rocket', version: '1.0', buildNumber: 1 };

describe('agate doctor', () => {
  let app: TestApp;
  let cli: AgateCli;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let token: string;

  beforeAll(async () => {
    const port = String(await takeFreePort());
    app = await TestApp.start({ environment: { PORT: port, BASE_URL: `http://127.0.0.1:${port}` } });
    ann = await app.developer();
    organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    token = await ann.createsToken(project, 'MANAGE_RELEASES');
    cli = await AgateCli.create({ AGATE_URL: app.url, AGATE_TOKEN: token });
  });
  afterAll(async () => {
    cli?.remove();
    await app?.stop();
  });

  /** The checks by name, of which all that failed or warn have a remedy. */
  async function examined(args: readonly string[] = [], environment: Record<string, string> = {}) {
    const { code, json, stdout, stderr } = await cli.run(['doctor', '--json', ...args], { environment });
    const answer = json<{ checks?: CheckJson[]; details?: { checks: CheckJson[] } }>();
    const checks = answer.checks ?? answer.details!.checks;
    for (const { state, remedy } of checks) expect(remedy === null).toBe(state === 'ok' || state === 'skipped');
    expect(stdout + stderr).not.toContain(token);
    return { code, of: Object.fromEntries(checks.map((check) => [check.name, check])) };
  }

  async function behind<Result>(options: TlsFrontOptions, use: (env: Record<string, string>) => Promise<Result>) {
    const front = await TlsFront.startBefore(app.url, options);
    const authority = cli.write('authority.pem', front.certificate);
    try {
      return await use({ AGATE_URL: front.url, NODE_EXTRA_CA_CERTS: authority });
    } finally {
      await front.stop();
    }
  }

  it('reports no failure when everything works, with a line for each check', async () => {
    await ann.createsChannel(project, 'Beta');
    const { code, of } = await examined(['--channel', 'Beta', '--upload']);
    expect(code).toBe(0);
    for (const name of ['node', 'name', 'certificate', 'ready', 'version', 'clock', 'credential', 'may_upload']) {
      expect(of[name]).toMatchObject({ state: 'ok' });
    }
    for (const name of ['may_promote', 'channels', 'upload']) expect(of[name]).toMatchObject({ state: 'ok' });
    expect(of['credential']!.message).toMatch(/^The project access token "CI" for Rocket of .* is valid\.$/);
    // The service under test has an install host that no phone can open.
    expect(of['install_host']).toMatchObject({ state: 'warning', remedy: expect.stringContaining('INSTALL_BASE_URL') });
    const { code: again, stdout } = await cli.run(['doctor']);
    expect(again).toBe(0);
    expect(stdout).toMatch(/^✓ Node\.js \d/);
    expect(stdout).toMatch(/\n! Install links begin with .*\n {2}→ Set INSTALL_BASE_URL/);
    expect(
      (await ann.get(`/builds/uploads?organization_id=${organization.id}&project_id=${project.id}`)).body,
    ).toMatchObject({ items: [] });
  });

  it.each([
    ['a name without an address', 'https://agate.invalid', 'name', 'agate.invalid has no address'],
    ['a port where nothing listens', 'http://127.0.0.1:9', 'service', 'Nothing responds at http://127.0.0.1:9'],
    ['an address that is none', 'agate', 'settings', '"agate" is not the address of a service'],
  ])('names %s', async (_kind, AGATE_URL, name, message) => {
    const { code, of } = await examined([], { AGATE_URL });
    expect(code).toBe(3);
    expect(of[name]).toMatchObject({ state: 'failed', message: expect.stringContaining(message) });
    expect(of['credential']).toBeUndefined();
  });

  it('names an address where another program responds', async () => {
    const { of } = await examined([], { AGATE_URL: `${app.url}/elsewhere` });
    expect(of['service']).toMatchObject({ state: 'failed', message: expect.stringContaining('is not Agate') });
  });

  it('names a certificate that has expired', async () => {
    const { code, of } = await behind({ notAfter: new Date('2024-05-01') }, (env) => examined([], env));
    expect(code).toBe(3);
    expect(of['certificate']).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('expired on 2024-05-01'),
    });
  });

  it('names a certificate that expires soon, and one of an unknown authority', async () => {
    const soon = new Date(Date.now() + 5.5 * 86_400_000);
    await behind({ notAfter: soon }, async (env) => {
      const known = await examined([], env);
      expect(known.of['certificate']).toMatchObject({
        state: 'warning',
        message: expect.stringContaining('in 5 days'),
      });
      expect(known.code).toBe(0);
      const unknown = await examined([], { AGATE_URL: env['AGATE_URL']! });
      expect(unknown.of['certificate']).toMatchObject({
        state: 'failed',
        remedy: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
      });
    });
  });

  it.each([
    [5 * 60_000, 'behind'],
    [-5 * 60_000, 'ahead of'],
  ])('names a clock that is off by %d ms', async (aheadMs, direction) => {
    const { code, of } = await behind({ aheadMs }, (env) => examined([], env));
    expect(code).toBe(3);
    expect(of['clock']).toMatchObject({ state: 'failed', message: expect.stringMatching(/(299|30[01]) seconds /) });
    expect(of['clock']!.message).toContain(direction);
  });

  it('names a token that was revoked, one that is truncated, and a missing one', async () => {
    const { body } = await ann
      .post(`/project-access-tokens?organization_id=${organization.id}&project_id=${project.id}`, {
        name: 'Old',
        role: 'UPLOAD_BUILD',
      })
      .expect(201);
    const { id, token: old } = body as { id: string; token: string };
    await ann
      .delete(`/project-access-tokens/${id}?organization_id=${organization.id}&project_id=${project.id}`)
      .expect(204);
    for (const [AGATE_TOKEN, message] of [
      [old, 'was revoked, or it expired'],
      [old.slice(0, -3), 'not complete'],
      ['', 'There is no credential'],
    ] as const) {
      const { code, of } = await examined([], { AGATE_TOKEN });
      expect(code).toBe(3);
      expect(of['credential']).toMatchObject({ state: 'failed', message: expect.stringContaining(message) });
    }
  });

  it('names a role that may not upload, and one that may not promote', async () => {
    const viewer = await examined([], { AGATE_TOKEN: await ann.createsToken(project, 'VIEW_PROJECT') });
    expect(viewer.code).toBe(3);
    expect(viewer.of['may_upload']).toMatchObject({
      state: 'failed',
      message: 'It may not upload to Rocket: it has the role VIEW_PROJECT, and needs UPLOAD_BUILD.',
    });
    const uploader = { AGATE_TOKEN: await ann.createsToken(project, 'UPLOAD_BUILD') };
    expect((await examined([], uploader)).of['may_promote']).toMatchObject({ state: 'warning' });
    expect((await examined(['--channel', 'Beta'], uploader)).of['may_promote']).toMatchObject({ state: 'failed' });
  });

  it('names a token that expires soon, and a channel that does not exist', async () => {
    const expires_at = new Date(Date.now() + 3.5 * 86_400_000).toISOString();
    const { body } = await ann
      .post(`/project-access-tokens?organization_id=${organization.id}&project_id=${project.id}`, {
        name: 'Short',
        role: 'MANAGE_RELEASES',
        expires_at,
      })
      .expect(201);
    const { of } = await examined(['--channel', 'Gamma'], { AGATE_TOKEN: (body as { token: string }).token });
    expect(of['credential']).toMatchObject({ state: 'warning', message: expect.stringContaining('expires in 3 days') });
    expect(of['channels']).toMatchObject({ state: 'failed', message: expect.stringContaining('"Gamma"') });
  });

  it('names a project and an organization that the credential cannot read', async () => {
    const pat = { name: 'Laptop', scopes: ['organization:read', 'projects:read', 'builds:read', 'builds:upload'] };
    const { body } = await ann.post(`/pats?organization_id=${organization.id}`, pat).expect(201);
    const { token: AGATE_TOKEN } = body as { token: string };
    const wrong = organization.id.replace(/.{4}$/, '0000');
    for (const place of [
      { AGATE_ORGANIZATION: organization.id, AGATE_PROJECT: wrong },
      { AGATE_ORGANIZATION: wrong, AGATE_PROJECT: 'Rocket' },
    ]) {
      const { code, of } = await examined([], { AGATE_TOKEN, ...place });
      expect([code, of['credential']?.state, of['project']?.state]).toEqual([3, 'ok', 'failed']);
    }
  });

  it('judges the build that a folder stands for', async () => {
    cli.write('outputs/release/app.apk', apkOf({ ...FACTS, bundleId: 'com.example.rocket' }));
    const { of } = await examined(['outputs/release']);
    expect(of['file']).toMatchObject({ state: 'ok', message: expect.stringContaining('app.apk') as string });
    expect(of['app']).not.toMatchObject({ state: 'warning' });
    cli.write('empty/notes.txt', 'none');
    const { code, of: none } = await examined(['empty']);
    expect([code, none['file']]).toEqual([3, expect.objectContaining({ state: 'failed' })]);
  });

  it('names an install host without https', async () => {
    const plain = await TestApp.start({
      beside: app,
      environment: { BASE_URL: 'http://agate.example.com', INSTALL_BASE_URL: 'http://agate.example.com' },
    });
    try {
      const { code, of } = await examined([], { AGATE_URL: plain.url });
      expect(code).toBe(3);
      expect(of['install_host']).toMatchObject({
        state: 'failed',
        message: expect.stringContaining('iPhones install only over https'),
      });
    } finally {
      await plain.stop();
    }
  });

  it('judges a file: its app, its size and whether it is damaged', async () => {
    cli.write('first.apk', apkOf(FACTS));
    expect((await examined(['first.apk'])).of['app']).toMatchObject({ state: 'skipped' });
    for (const [bytes, fileName] of [
      [apkOf(FACTS), 'a.apk'],
      [ipaOf(FACTS), 'a.ipa'],
    ] as const) {
      await ann.uploads(project, { bytes, fileName });
    }
    cli.write('same.ipa', ipaOf({ ...FACTS, version: '2.0' }));
    const longer = { ...FACTS, bundleId: `${FACTS.bundleId}.debug` };
    cli.write('other.apk', apkOf(longer));
    cli.write('other.ipa', ipaOf(longer));
    cli.write('cut.apk', apkOf(FACTS).subarray(0, -100));
    cli.write('empty.apk', '');
    cli.write('tool.exe', 'MZ');
    for (const [file, name, state, message] of [
      ['first.apk', 'app', 'ok', 'com.example.rocket'],
      ['same.ipa', 'app', 'ok', 'com.example.rocket'],
      ['other.apk', 'app', 'failed', 'of another app than com.example.rocket'],
      ['other.ipa', 'app', 'failed', 'of another app than com.example.rocket'],
      ['cut.apk', 'app', 'failed', 'damaged'],
      ['empty.apk', 'file', 'failed', 'empty'],
      ['tool.exe', 'app', 'warning', '".exe"'],
      ['missing.apk', 'file', 'failed', 'cannot be read'],
    ] as const) {
      const { of } = await examined([file]);
      expect([file, of[name]]).toEqual([
        file,
        expect.objectContaining({ state, message: expect.stringContaining(message) }),
      ]);
    }
  });
});
