import { randomBytes, randomUUID } from 'node:crypto';
import { ByosaService } from '#modules/storage';
import { Bearer, type Developer, type OrganizationRef, type ProjectRef, scope } from '../../support/actors/actors';
import {
  customerAzure,
  customerS3,
  type CustomerStore,
  ON_THIS_MACHINE,
  putByosa,
  s3Settings,
} from '../../support/actors/byosa';
import { ResumableClient } from '../../support/actors/resumable-client';
import { TestApp } from '../../support/app/test-app';
import { type Fault, type SeenRequest } from '../../support/servers/proxies/faulty-proxy';
import { type S3Server } from '../../support/servers/stores/s3-server';

jest.setTimeout(120_000);

interface Check {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly reason: string | null;
  readonly duration_ms: number;
}
interface Diagnosis {
  readonly ok: boolean;
  readonly checks: readonly Check[];
}

const NAMES = [
  'resolve',
  'public_address',
  'reach',
  'clock_skew',
  'authenticate',
  'container',
  'list',
  'write',
  'read_back',
  'range_read',
  'signed_url',
  'upload_in_parts',
  'delete',
];
const MAC = { platform: 'macos', version: '1.0' };
const FILE = { bytes: randomBytes(70_000), fileName: 'Own.dmg' };
const failedOf = ({ checks }: Diagnosis): Check | undefined => checks.find(({ status }) => status === 'failed');

describe('the storage account of an organization', () => {
  let app: TestApp;
  let ann: Developer;
  let s3: CustomerStore & { readonly proxy: S3Server };
  let azure: CustomerStore;
  beforeAll(async () => {
    [app, s3, azure] = await Promise.all([
      TestApp.start({ environment: ON_THIS_MACHINE }),
      customerS3(),
      customerAzure(),
    ]);
    ann = await app.developer();
  });
  afterEach(() => {
    s3.proxy.skewMs = 0;
    for (const { proxy } of [s3, azure]) {
      proxy.fault = () => undefined;
      proxy.redirectsTo = undefined;
    }
  });
  afterAll(async () => {
    await app.stop();
    await Promise.all([s3.stop(), azure.stop()]);
  });

  const business = async (): Promise<OrganizationRef> => {
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    return organization;
  };
  const show = async ({ id }: OrganizationRef): Promise<Record<string, unknown>> =>
    (await ann.get(`/organizations/${id}/byosa`).expect(200)).body as Record<string, unknown>;
  const diagnose = async ({ id }: OrganizationRef): Promise<Diagnosis> =>
    (await ann.post(`/organizations/${id}/byosa/diagnose`).expect(200)).body as Diagnosis;
  const failedCheckOfPut = async (organization: OrganizationRef, settings: object): Promise<Check | undefined> => {
    const { body } = await putByosa(ann, organization, settings).expect(400);
    const { error, details } = body as { error: string; details: Diagnosis & { reason: string } };
    expect([error, details.reason]).toEqual(['invalid_input', 'checks_failed']);
    return failedOf(details);
  };
  const flip = (organization: OrganizationRef, to: 'byosa' | 'hosted'): Promise<string> =>
    app.nest.get(ByosaService, { strict: false }).flip(app.systemContext, organization.id, to);
  const events = async ({ id }: OrganizationRef): Promise<string[]> =>
    (
      await app.sql<{ type: string }>(
        `SELECT type FROM audit_event WHERE organization_id = $1 AND type LIKE 'byosa.%' ORDER BY time, id`,
        [id],
      )
    ).map(({ type }) => type);
  const metered = async ({ id }: OrganizationRef): Promise<unknown> =>
    ((await ann.get(`/organizations/${id}/billing`).expect(200)).body as { metered: boolean }).metered;

  describe.each([
    ['s3', () => s3],
    ['azure', () => azure],
  ])('on %s', (provider, store) => {
    it('is configured, shown, diagnosed and torn down', async () => {
      const organization = await business();
      expect(await show(organization)).toMatchObject({ state: 'none', s3: null, azure: null });
      const key = { 'Idempotency-Key': randomUUID() };
      const settings = await store().settings();
      const { body } = await putByosa(ann, organization, settings).set(key).expect(200);
      expect(body).toMatchObject({ state: 'configured', receives_artifacts: false });
      expect((body as Record<string, unknown>)[provider]).not.toBeNull();
      const again = await putByosa(ann, organization, settings).set(key).expect(200);
      expect([again.headers['idempotency-replayed'], again.body]).toEqual(['true', body]);
      expect(await show(organization)).toEqual(body);
      const diagnosis = await diagnose(organization);
      expect(diagnosis.checks.filter(({ status }) => status !== 'passed')).toEqual([]);
      expect([diagnosis.ok, diagnosis.checks.map(({ name }) => name)]).toEqual([true, NAMES]);

      await ann.delete(`/organizations/${organization.id}/byosa`).expect(204);
      expect(await show(organization)).toMatchObject({ state: 'none' });
      await ann.delete(`/organizations/${organization.id}/byosa`).expect(404);
      await ann.post(`/organizations/${organization.id}/byosa/diagnose`).expect(404);
      expect(await events(organization)).toEqual(['byosa.configured', 'byosa.removed']);
    });

    // red when: the limit or the meter also applies to the organization's own store
    it('has open uploads that are neither limited nor metered', async () => {
      const limited = await TestApp.start({
        beside: app,
        environment: { ...ON_THIS_MACHINE, MAX_OPEN_UPLOAD_BYTES_ON_TRIAL: '1' },
      });
      try {
        const organization = await business();
        const project = await ann.createsProject(organization);
        const beside = new Bearer(limited.url, ann.token);
        const announced = { file_name: 'Own.dmg', size_bytes: 1000, ...MAC };
        const start = () => beside.post(`/builds/uploads?${scope(project)}`, announced);
        expect((await start().expect(400)).body).toMatchObject({ details: { quota: 'open_upload_bytes' } });
        await putByosa(ann, organization, await store().settings()).expect(200);
        await flip(organization, 'byosa');
        await start().expect(201);
        const open = await ResumableClient.start(ann, project, FILE, MAC);
        await open.send(1);
        await app.runsJob('builds.measure-open-uploads');
        expect(await app.sql('SELECT FROM stored_build WHERE build_id = $1', [open.id])).toEqual([]);
      } finally {
        await limited.stop();
      }
    });

    it('stores new artifacts between two flips, without metering, and keeps them until they are deleted', async () => {
      const organization = await business();
      const project = await ann.createsProject(organization);
      const hosted = await ann.uploads(project, FILE, MAC);
      await putByosa(ann, organization, await store().settings()).expect(200);
      expect(await metered(organization)).toBe(true);
      await flip(organization, 'byosa');
      expect(await show(organization)).toMatchObject({ state: 'active', receives_artifacts: true });
      // red when: the flip does not stop the meters
      expect(await metered(organization)).toBe(false);

      const own = await ann.uploads(project, FILE, MAC);
      const accountOf = async ({ id }: { id: string }): Promise<unknown> =>
        (await app.sql('SELECT storage_account AS a FROM build WHERE id = $1', [id]))[0]?.['a'];
      expect([await accountOf(hosted), await accountOf(own)]).not.toContain(undefined);
      expect(await accountOf(hosted)).toBe('hosted');
      expect(await accountOf(own)).not.toBe('hosted');
      for (const build of [hosted, own]) expect(await download(project, build.id)).toEqual(FILE.bytes);

      await ann.delete(`/organizations/${organization.id}/byosa`).expect(204);
      expect(await show(organization)).toMatchObject({ state: 'draining', receives_artifacts: true });
      await flip(organization, 'hosted');
      expect([await metered(organization), await accountOf(await ann.uploads(project, FILE, MAC))]).toEqual([
        true,
        'hosted',
      ]);
      // The account stays while a build is in it.
      await app.runsJob('storage.remove-drained');
      expect(await show(organization)).toMatchObject({ state: 'draining', receives_artifacts: false });
      expect(await download(project, own.id)).toEqual(FILE.bytes);
      await ann.delete(`/builds/${own.id}?${scope(project)}&permanently=true`).expect(204);
      // The artifact is deleted first.
      await app.runsJob('storage.sweep-temporary');
      await app.runsJob('storage.remove-drained');
      // red when: the handlers of accountUse are not run, or ignored
      expect(await show(organization)).toMatchObject({ state: 'none' });
    });
  });

  const download = async (project: ProjectRef, buildId: string): Promise<Buffer> => {
    const { body } = await ann.post(`/builds/${buildId}/download-url?${scope(project)}`).expect(200);
    const response = await fetch(app.url + new URL((body as { url: string }).url).pathname);
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  };

  describe('with failing checks', () => {
    let organization: OrganizationRef;
    beforeAll(async () => {
      organization = await business();
      await putByosa(ann, organization, await s3.settings()).expect(200);
    });

    const when =
      (method: string, fault: Fault, which: (request: SeenRequest) => boolean = () => true) =>
      (request: SeenRequest): Fault | undefined =>
        request.method === method && which(request) ? fault : undefined;
    const responds = (status: number, code: string): Fault => ({ kind: 'error', status, code });
    const isList = ({ url }: SeenRequest): boolean => url.searchParams.has('list-type');

    // red when: an error is mapped to another check or another advice
    it.each<[string, ReturnType<typeof when>, string, string, RegExp]>([
      [
        'an expired access key',
        when('GET', responds(403, 'InvalidAccessKeyId'), isList),
        'authenticate',
        'unknown_key',
        /expired/,
      ],
      [
        'a wrong secret',
        when('GET', responds(403, 'SignatureDoesNotMatch'), isList),
        'authenticate',
        'wrong_secret',
        /secret/i,
      ],
      [
        'a missing bucket',
        when('GET', responds(404, 'NoSuchBucket'), isList),
        'container',
        'container',
        /no such bucket/,
      ],
      [
        'no permission to list',
        when('GET', responds(403, 'AccessDenied'), isList),
        'list',
        'permission',
        /s3:ListBucket/,
      ],
      ['no permission to write', when('PUT', responds(403, 'AccessDenied')), 'write', 'permission', /s3:PutObject/],
      [
        'no permission to delete',
        when('DELETE', responds(403, 'AccessDenied')),
        'delete',
        'permission',
        /s3:DeleteObject/,
      ],
      ['a full store', when('PUT', responds(507, 'InsufficientStorage')), 'write', 'full', /full/],
      ['a server error', when('PUT', responds(500, 'InternalError')), 'write', 'failing', /server error/],
      ['a connection reset', when('PUT', { kind: 'reset' }), 'write', 'connection', /reset/],
      ['no response', when('PUT', { kind: 'silence' }), 'write', 'timeout', /slow/],
      [
        'truncated objects',
        when('GET', { kind: 'cut', afterBytes: 10 }, ({ url }) => !isList({ url } as SeenRequest)),
        'read_back',
        'connection',
        /./,
      ],
    ])('reports the check and the advice for %s', async (_, fault, name, reason, advice) => {
      s3.proxy.fault = fault;
      const started = performance.now();
      const diagnosis = await diagnose(organization);
      expect(diagnosis.ok).toBe(false);
      expect(failedOf(diagnosis)?.name).toBe(name);
      expect(failedOf(diagnosis)?.reason).toBe(reason);
      expect(failedOf(diagnosis)?.message).toMatch(advice);
      expect(JSON.stringify(diagnosis)).not.toContain('said the test');
      expect(performance.now() - started).toBeLessThan(60_000);
    });

    // red when: the checks write whole objects only
    it('reports a store without ListParts, which large uploads need', async () => {
      s3.proxy.supportsListParts = false;
      try {
        expect(failedOf(await diagnose(organization))).toMatchObject({
          name: 'upload_in_parts',
          reason: 'no_uploads_in_parts',
          message: expect.stringContaining('ListParts') as string,
        });
      } finally {
        s3.proxy.supportsListParts = true;
      }
      expect(s3.proxy.openUploads(s3.proxy.bucket())).toEqual([]);
    });

    it('reports a wrong clock', async () => {
      s3.proxy.skewMs = 20 * 60_000;
      expect(failedOf(await diagnose(organization))).toMatchObject({ name: 'clock_skew', message: /clock/i });
    });

    it('is not saved', async () => {
      const fresh = await business();
      const good = s3Settings(s3.proxy.bucket());
      expect(await failedCheckOfPut(fresh, { s3: { ...good, secret_access_key: 'another-secret' } })).toMatchObject({
        name: 'authenticate',
      });
      expect(await failedCheckOfPut(fresh, { s3: { ...good, bucket: 'no-such-bucket' } })).toMatchObject({
        name: 'container',
      });
      expect(await failedCheckOfPut(fresh, { s3: { ...good, endpoint: 'http://127.0.0.1:9' } })).toMatchObject({
        name: 'reach',
      });
      expect(await show(fresh)).toMatchObject({ state: 'none' });
      expect(await events(fresh)).toEqual([]);
      for (const settings of [
        {},
        { s3: good, azure: {} },
        { s3: { ...good, endpoint: 'ftp://x' } },
        { s3: { bucket: 'x' } },
      ]) {
        await putByosa(ann, fresh, settings).expect(400, /validation_error/);
      }
    });
  });

  it('is rejected with an address that is not public, and no request is sent', async () => {
    const guarded = await TestApp.start({ beside: app, worker: false });
    try {
      const organization = await business();
      const port = new URL(s3.proxy.url).port;
      const before = s3.proxy.seen.length;
      const hosts = ['localhost', '127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0.0.0.0', '[::1]'];
      hosts.push(
        '[::ffff:127.0.0.1]',
        '[::ffff:10.0.0.1]',
        '[::ffff:7f00:1]',
        '169.254.169.254',
        '10.0.0.1',
        '[fe80::1]',
      );
      hosts.push('192.168.1.1', '100.64.0.1', '172.16.0.1', '168.63.129.16', '[64:ff9b::7f00:1]', '[fd00::1]');
      const bucket = s3Settings(s3.proxy.bucket());
      const messages = new Set<string>();
      for (const host of hosts) {
        for (const protocol of ['http', 'https']) {
          const { body } = await guardedPut(guarded, organization, {
            ...bucket,
            endpoint: `${protocol}://${host}:${port}`,
          });
          const failed = failedOf((body as { details: Diagnosis }).details);
          expect([host, failed?.name]).toEqual([host, expect.stringMatching(/^(public_address|resolve)$/)]);
          if (failed?.name === 'public_address') messages.add(failed.message);
        }
      }
      // The messages do not distinguish the addresses.
      expect(messages.size).toBe(1);
      // red when: AllowedHosts exempts this machine. Other buckets may have requests: deletions run in the background.
      expect(s3.proxy.seen.slice(before).filter(({ path }) => path.includes(bucket.bucket))).toEqual([]);

      s3.proxy.redirectsTo = `${s3.proxy.url}/canary`;
      expect((await failedCheckOfPut(organization, { s3: bucket }))?.name).toBeDefined();
      expect(s3.proxy.seen.slice(before).filter(({ path }) => path.startsWith('/canary'))).toEqual([]);
    } finally {
      await guarded.stop();
    }
  });

  const guardedPut = async (guarded: TestApp, { id }: OrganizationRef, settings: object): Promise<{ body: unknown }> =>
    guarded.anonymous
      .put(`/api/v1/organizations/${id}/byosa`)
      .set('Authorization', `Bearer ${ann.token}`)
      .send({ s3: settings })
      .expect(400);

  it('requires the business plan, and prevents a change of plan', async () => {
    const organization = await ann.createsOrganization();
    const settings = await s3.settings();
    const { body } = await putByosa(ann, organization, settings).expect(400);
    expect(body).toMatchObject({ error: 'operation_not_allowed', details: { required_plan: 'business' } });
    await ann.changesPlan(organization, 'business');
    await putByosa(ann, organization, settings).expect(200);
    // red when: ByosaService adds no handler to planChange
    await ann.post(`/organizations/${organization.id}/plan`, { plan: 'team' }).expect(409, /dependency_exists/);
    await ann.delete(`/organizations/${organization.id}`).expect(409);
    await ann.delete(`/organizations/${organization.id}/byosa`).expect(204);
    await ann.post(`/organizations/${organization.id}/plan`, { plan: 'team' }).expect(200);
  });

  it('can change only its credentials while it is active', async () => {
    const organization = await business();
    const settings = s3Settings(s3.proxy.bucket());
    await putByosa(ann, organization, { s3: settings }).expect(200);
    const another = { s3: { ...settings, bucket: s3.proxy.bucket().bucket } };
    await putByosa(ann, organization, another).expect(200);
    await flip(organization, 'byosa');
    const { body } = await putByosa(ann, organization, { s3: settings }).expect(400);
    expect(body).toMatchObject({ error: 'operation_not_allowed', details: { reason: 'byosa_in_use' } });
    await putByosa(ann, organization, another).expect(200);
    expect(await events(organization)).toEqual(['byosa.configured', 'byosa.changed', 'byosa.flipped', 'byosa.changed']);
  });

  it('causes 503 while its store is unavailable, leaves nothing of the uploads, and does not affect other organizations', async () => {
    const [organization, other] = [await business(), await business()];
    const [project, elsewhere] = [await ann.createsProject(organization), await ann.createsProject(other)];
    await putByosa(ann, organization, await s3.settings()).expect(200);
    await flip(organization, 'byosa');
    const build = await ann.uploads(project, FILE, MAC);
    for (const fault of [serverError, silence]) {
      s3.proxy.fault = () => fault;
      const attempts = Array.from({ length: 20 }, () => ann.upload(project, FILE, MAC));
      const running = Promise.all(attempts.map((attempt) => attempt.expect(503)));
      await ann.uploads(elsewhere, FILE, MAC);
      await ann.get(`/builds?${scope(project)}`).expect(200);
      for (const { headers, body } of await running) {
        expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
        expect(body).toMatchObject({ error: 'storage_backend_unavailable' });
      }
      s3.proxy.fault = () => undefined;
      const rows = await app.sql(`SELECT id FROM build WHERE organization_id = $1`, [organization.id]);
      expect(rows).toEqual([{ id: build.id }]);
    }
    expect(await download(project, build.id)).toEqual(FILE.bytes);
  });

  const serverError: Fault = { kind: 'error', status: 500, code: 'InternalError' };
  const silence: Fault = { kind: 'silence' };

  it('has secrets that are in no response, log line or table in clear text', async () => {
    const organization = await business();
    const settings = s3Settings(s3.proxy.bucket());
    const secret = `wrong-${randomUUID()}`;
    const { text } = await putByosa(ann, organization, { s3: { ...settings, secret_access_key: secret } }).expect(400);
    const good = await putByosa(ann, organization, { s3: settings }).set('Idempotency-Key', randomUUID()).expect(200);
    const shown = [text, good.text, JSON.stringify(await show(organization)), ...app.logLines];
    const tables = await app.sql<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    for (const { name } of tables) {
      const rows = await app.sql<{ row: string }>(`SELECT t::text AS row FROM "${name}" t`);
      shown.push(...rows.map(({ row }) => row));
    }
    const hex = (value: string): string => Buffer.from(value).toString('hex');
    const secrets = [secret, settings.secret_access_key, settings.access_key_id].flatMap((value) => [
      value,
      hex(value),
    ]);
    // red when: credentials are stored without a seal
    expect(shown.filter((line) => secrets.some((value) => line.includes(value)))).toEqual([]);
  });
});
