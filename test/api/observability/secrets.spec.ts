import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Developer, scope } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';
import { Scraped } from '../../support/checks/prometheus-client';
import { until } from '../../support/until';

const SCRAPE_TOKEN = 'scrape-0123456789abcdef';

/**
 * No password, token or link is stored or logged in a form that could be used. test/endurance/processes/tracing.spec.ts checks the traces.
 */
describe('secrets', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { LOG_LEVEL: 'trace', METRICS_TOKEN: SCRAPE_TOKEN } });
  });
  afterAll(() => app.stop());

  /** All rows of all tables as text, the job queue included. Bytes appear in hexadecimal. */
  const everythingStored = async (): Promise<string> => {
    const tables = await app.sql<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
       WHERE table_schema IN ('public', 'graphile_worker') AND table_type = 'BASE TABLE'`,
    );
    const dumps = await Promise.all(
      tables.map(({ name }) => app.sql<{ row: string }>(`SELECT row_to_json(t)::text AS row FROM ${name} t`)),
    );
    return dumps
      .flat()
      .map(({ row }) => row)
      .join('\n');
  };

  it('appear neither in the database nor in the log nor in the metrics', async () => {
    const ann = await app.developer();
    const verifyToken = (await app.mailbox.link(ann.email)).searchParams.get('token')!;
    const project = await ann.createsProject(await ann.createsOrganization());
    const key = { 'Idempotency-Key': randomUUID() };
    const draft = { name: 'CI', role: 'DOWNLOAD_BUILD' };
    // With an idempotency key, the response with the token is stored, sealed. red when: IdempotencyService does not seal it
    const created = await ann
      .post(`/project-access-tokens?${scope(project)}`, draft)
      .set(key)
      .expect(201);
    const replayed = await ann
      .post(`/project-access-tokens?${scope(project)}`, draft)
      .set(key)
      .expect(201);
    expect(replayed.body).toEqual(created.body);
    const { token: projectToken } = created.body as { token: string };
    const pat = await ann
      .post(`/pats?organization_id=${project.organizationId}`, { name: 'x', scopes: ['builds:read'] })
      .set({ 'Idempotency-Key': randomUUID() })
      .expect(201);
    const build = await ann.uploads(project, { bytes: ipa(), fileName: 'a.ipa' });
    const installPath = new URL(build.install_url).pathname;
    await app.anonymous.get(installPath).expect(200);
    const manifest = await app.anonymous.get(`${installPath}/manifest.plist`).buffer(true).expect(200);
    const ticketPath = new URL(/<string>(http[^<]*\/download\/[^<]*)<\/string>/.exec(manifest.text)![1]!).pathname;
    await app.anonymous.get(ticketPath).expect(200);
    await app.ci(projectToken).get('/builds').expect(200);
    await app.anonymous.post('/api/v1/developers/reset_password_request').send({ email: ann.email }).expect(204);
    const resetToken = (await app.mailbox.linkTo(ann.email, 'reset_password?token=')).searchParams.get('token')!;
    await app.anonymous.get(`/api/v1/developers/reset_password?token=${resetToken}`).expect(200);
    const session = await Developer.logIn(app.url, ann.email, ann.password);
    const refresh = await app.anonymous
      .post('/api/v1/login/refresh')
      .send({ refresh_token: session.refreshToken })
      .expect(200);
    // Nor is a token in another spelling of its path. red when: PATH_TOKEN or LONG_SEGMENT of masking.ts is changed
    for (const path of [installPath.toUpperCase().replace(/[^/]+$/, ''), '/%69nstall/', '/assets/', '/api/v1/nowhere/'])
      await app.anonymous.get(path + installPath.split('/')[2]!);
    // A token in the wrong query parameter is not logged either.
    await app.anonymous.get(`/api/v1/builds?cursor=${projectToken}`).expect(401);

    const secrets: Record<string, string> = {
      password: ann.password,
      accessJwt: ann.token,
      refreshToken: ann.refreshToken,
      newRefreshToken: (refresh.body as { refresh_token: string }).refresh_token,
      projectToken,
      pat: (pat.body as { token: string }).token,
      verifyToken,
      resetToken,
      inviteToken: installPath.split('/')[2]!,
      ticket: ticketPath.split('/')[2]!,
      scrapeToken: SCRAPE_TOKEN,
    };
    const stored = await everythingStored();
    // Without a mail server, a log line names the .eml file of each mail. Only this line may contain a link.
    const logged = app.logLines.filter((line) => !line.includes('.eml')).join('\n');
    const measured = (await Scraped.from(app.url, SCRAPE_TOKEN)).text;
    expect(stored).toContain(build.id);
    expect(measured).toContain('route="/install/:invite_token"');
    expect(logged).toContain('/install/[token]');
    const found = Object.entries(secrets).flatMap(([name, secret]) => [
      ...(stored.includes(secret) ? [`${name} in the database`] : []),
      ...(stored.includes(Buffer.from(secret).toString('hex')) ? [`${name} in the database, as bytes`] : []),
      ...(logged.includes(secret) ? [`${name} in the log`] : []),
      ...(measured.includes(secret) ? [`${name} in the metrics`] : []),
    ]);
    expect(found).toEqual([]);
    // red when: a metric has an e-mail, an organization or a project as a label
    const owners = [ann.email, project.id, project.organizationId, build.id];
    expect(owners.filter((owner) => measured.includes(owner))).toEqual([]);
  });
});

describe('the log in production without a mail server', () => {
  let folder: string;
  let app: TestApp;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agate-keys-'));
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await writeFile(join(folder, 'jwt.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    const environment = {
      ...{
        NODE_ENV: 'production',
        BASE_URL: 'https://agate.example',
        CAPTCHA_PROVIDER: 'none',
        SIGN_UP: 'open',
        SHUTDOWN_DRAIN_MS: '0',
      },
      ...{ RATE_LIMIT_FACTOR: '1', JWT_PRIVATE_KEYS_FILE: join(folder, 'jwt.pem') },
      ...{
        MASTER_KEYS: `k1:${randomBytes(32).toString('base64')}`,
        PASSWORD_PEPPER: randomBytes(32).toString('base64'),
      },
    };
    app = await TestApp.start({ environment });
  });
  afterAll(async () => {
    await app.stop();
    await rm(folder, { recursive: true });
  });

  // red when: the links of mails are logged in production too
  it('names the file of a mail, without its links and its recipient', async () => {
    const { email } = await app.unverifiedDeveloper();
    const link = await app.mailbox.link(email);
    expect(link.searchParams.get('token')).toBeTruthy();
    await until(() => app.logLines.some((line) => line.includes('.eml')));
    const logged = app.logLines.join('\n');
    expect(logged).toContain('MAIL_URL is not set');
    for (const piece of [link.searchParams.get('token')!, email]) expect(logged).not.toContain(piece);
  });
});
