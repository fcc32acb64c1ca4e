import { randomBytes } from 'node:crypto';
import { Bearer, type Developer, type OrganizationRef, type ProjectRef, scope } from '../../../support/actors/actors';
import { ResumableClient } from '../../../support/actors/resumable-client';
import { verifiedDeveloper } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';
import { faultsOf } from '../../../support/checks/billing-consistency';

jest.setTimeout(120_000);

const MIB = 1024 * 1024;
const PART_BYTES = 8 * MIB;
const FILE = { bytes: randomBytes(2 * PART_BYTES), fileName: 'Demo.dmg' };
const MAC = { platform: 'macos', version: '1.0' };

interface UsageJson {
  readonly storage_mb_months: number;
  readonly open_upload_bytes: number;
}

interface Interval {
  readonly build_id: string;
  readonly size_bytes: string;
  readonly started_at: Date;
  readonly ended_at: Date | null;
}

/** The application, an organization and its credentials that outlive hours. */
async function fixture(environment: Record<string, string> = {}) {
  const app = await TestApp.start({ environment });
  const tenant = async () => {
    const ann = await app.developer();
    const organization = await ann.createsOrganization();
    const project = await ann.createsProject(organization);
    const ci = app.ci(await ann.createsToken(project, 'UPLOAD_BUILD'));
    const { body } = await ann
      .post(`/pats?organization_id=${organization.id}`, { name: 'Meter', scopes: ['billing:read'] })
      .expect(201);
    const meter = new Bearer(app.url, (body as { token: string }).token);
    const usage = async (): Promise<UsageJson> =>
      (await meter.get(`/organizations/${organization.id}/usage`).expect(200)).body as UsageJson;
    const intervals = () =>
      app.sql<Interval>('SELECT * FROM storage_interval WHERE organization_id = $1 ORDER BY started_at, ended_at', [
        organization.id,
      ]);
    const starts = (file = FILE): Promise<ResumableClient> => ResumableClient.start(ci, project, file, MAC);
    return { ann, organization, project, ci, usage, intervals, starts };
  };
  const measures = (): Promise<void> => app.runsJob('builds.measure-open-uploads');
  return { app, tenant, measures };
}

describe('the bytes of open uploads', () => {
  let app: TestApp;
  let measures: () => Promise<void>;
  let tenant: Awaited<ReturnType<typeof fixture>>['tenant'];
  beforeAll(async () => {
    ({ app, tenant, measures } = await fixture());
  });
  afterEach(async () => {
    expect(await faultsOf(app)).toEqual([]);
  });
  afterAll(() => app.stop());

  // red when: parts are not metered before their upload is a build
  it('are metered while they are stored, also when the upload is never completed', async () => {
    await app.clock.advanceToFifth();
    const { starts, usage, intervals } = await tenant();
    const client = await starts();
    await measures();
    expect(await usage()).toMatchObject({ open_upload_bytes: 0 });
    await client.send(1);
    await measures();
    expect(await usage()).toMatchObject({ open_upload_bytes: PART_BYTES });
    await app.clock.advance({ hours: 12 });
    const halfDay = await usage();
    expect(halfDay.storage_mb_months).toBeGreaterThan(0);
    await client.send(2);
    await measures();
    expect(await usage()).toMatchObject({ open_upload_bytes: 2 * PART_BYTES });

    await app.clock.advance({ hours: 25 });
    await app.runsJob('builds.sweep-uploads');
    const ended = await usage();
    expect(ended).toMatchObject({ open_upload_bytes: 0 });
    expect(ended.storage_mb_months).toBeGreaterThan(3 * halfDay.storage_mb_months);
    expect((await intervals()).map(({ size_bytes }) => Number(size_bytes))).toEqual([PART_BYTES, 2 * PART_BYTES]);
    await app.clock.advance({ hours: 5 });
    expect((await usage()).storage_mb_months).toBe(ended.storage_mb_months);
  });

  // red when: the interval of the upload stays open, or ends at another instant
  it('stop being metered at the instant from which the build is', async () => {
    const { starts, usage, intervals } = await tenant();
    const client = await starts();
    await client.sendAll();
    await measures();
    const build = await client.completes();
    const [open, stored] = (await intervals()).slice(-2);
    expect(open).toMatchObject({ build_id: client.id, size_bytes: String(FILE.bytes.length) });
    expect(stored).toMatchObject({ build_id: build.id, size_bytes: String(FILE.bytes.length), ended_at: null });
    expect(open!.ended_at).toEqual(stored!.started_at);
    expect(await usage()).toMatchObject({ open_upload_bytes: 0 });
  });

  it('stop being metered when the upload is dropped, and when its artifact is rejected', async () => {
    const { starts, usage, intervals } = await tenant();
    const dropped = await starts();
    await dropped.send(1);
    const rejected = await starts({ bytes: randomBytes(1000), fileName: 'Demo.apk' });
    await rejected.send(1);
    await measures();
    expect(await usage()).toMatchObject({ open_upload_bytes: PART_BYTES + 1000 });
    await dropped.drop().expect(204);
    await rejected.complete().expect(400);
    expect(await usage()).toMatchObject({ open_upload_bytes: 0 });
    expect((await intervals()).filter(({ ended_at }) => ended_at === null)).toEqual([]);
    await measures();
    expect(await usage()).toMatchObject({ open_upload_bytes: 0 });
  });

  // red when: a run does not end what has no open upload
  it('stop being metered when their upload has ended without this service', async () => {
    const { starts, usage } = await tenant();
    const client = await starts();
    await client.send(1);
    await measures();
    await app.sql('DELETE FROM artifact_upload WHERE id = $1', [client.id]);
    await measures();
    expect(await usage()).toMatchObject({ open_upload_bytes: 0 });
  });

  // red when: an open upload outlives its project until its lease ends, unpaid and beyond the limit of every organization
  it('are deleted soon after their project, also with its organization, and never fail the meter', async () => {
    const { ann, organization, project, starts } = await tenant();
    const client = await starts();
    const [first, second] = await client.urls(1, 2);
    expect((await client.put(first!, client.part(1))).status).toBe(204);
    await ann.delete(`/projects/${project.id}?organization_id=${organization.id}`).expect(204);
    await ann.delete(`/organizations/${organization.id}`).expect(204);
    await measures();
    await app.runsJob('builds.sweep-uploads');
    expect(await app.sql('SELECT state FROM artifact_upload WHERE id = $1', [client.id])).toEqual([
      { state: 'abandoned' },
    ]);
    expect((await client.put(second!, client.part(2))).status).toBe(404);
  });

  it('are counted once more after the last address has expired, and then no longer requested from the store', async () => {
    const { starts } = await tenant();
    const client = await starts();
    await client.send(1);
    const measuredAt = async (): Promise<unknown> =>
      (await app.sql('SELECT measured_at FROM artifact_upload WHERE id = $1', [client.id]))[0]?.['measured_at'];
    await app.clock.advance({ minutes: 46 });
    await measures();
    const last = await measuredAt();
    await app.clock.advance({ minutes: 5 });
    await measures();
    expect(await measuredAt()).toEqual(last);
    await client.urls(2);
    await measures();
    expect(await measuredAt()).not.toEqual(last);
  });

  // red when: the reservation expires after half an hour although parts are stored
  it('keep the reservation of their upload until it ends, and an upload without bytes keeps it for half an hour', async () => {
    const { organization, starts } = await tenant();
    const reservations = async (): Promise<unknown[]> =>
      (
        await app.sql('SELECT state FROM reservation WHERE organization_id = $1 ORDER BY created_at', [organization.id])
      ).map(({ state }) => state);
    const begun = await starts();
    await begun.send(1);
    await starts();
    await app.clock.advance({ hours: 23 });
    await app.runsJob('billing.release-expired');
    expect(await reservations()).toEqual(['active', 'expired']);
    await begun.send(2);
    await begun.completes();
    expect(await reservations()).toEqual(['settled', 'expired']);
  });
});

describe('the limit of the bytes of open uploads', () => {
  const environment = { MAX_OPEN_UPLOAD_BYTES_ON_TRIAL: String(3 * FILE.bytes.length) };
  const announced = { file_name: FILE.fileName, size_bytes: FILE.bytes.length, ...MAC };
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  const start = (size = FILE.bytes.length) =>
    ann.post(`/builds/uploads?${scope(project)}`, { ...announced, size_bytes: size });
  const quota = async (): Promise<unknown> => {
    const { body } = await ann.get(`/organizations/${organization.id}/quotas`).expect(200);
    return (body as { quotas: { quota: string }[] }).quotas.find((entry) => entry.quota === 'open_upload_bytes');
  };
  const arrange = async (variables: Record<string, string>): Promise<void> => {
    app = await TestApp.start({ environment: variables, worker: false });
    ann = await verifiedDeveloper(app);
    organization = await ann.createsOrganization();
    project = await ann.createsProject(organization);
  };
  afterEach(() => app.stop());

  // red when: the limit is not locked, or not checked
  it('is never exceeded when many uploads start in parallel, by tokens of several projects', async () => {
    await arrange(environment);
    const tokens = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const own = await ann.createsProject(organization);
        return { own, ci: app.ci(await ann.createsToken(own, 'UPLOAD_BUILD')) };
      }),
    );
    const responses = await Promise.all(
      tokens.map(({ own, ci }) => ci.post(`/builds/uploads?${scope(own)}`, announced).then((response) => response)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(3).fill(201), ...Array(9).fill(400)]);
    const rejected = responses.find(({ status }) => status === 400)!.body as Record<string, unknown>;
    expect(rejected).toMatchObject({
      error: 'quota_exceeded',
      message: expect.stringContaining('Complete or discard open uploads') as string,
      details: { quota: 'open_upload_bytes', limit: 3 * FILE.bytes.length, used: 3 * FILE.bytes.length },
    });
  });

  // red when: the quota counts other bytes than the limit
  it('counts forms too, shows what is used, and has room again when an upload ends', async () => {
    await arrange(environment);
    const { body } = await start(3 * FILE.bytes.length).expect(201);
    const form = () => ann.upload(project, { bytes: Buffer.from('a disk image'), fileName: 'a.dmg' }, MAC);
    expect((await form().expect(400)).body).toMatchObject({ details: { quota: 'open_upload_bytes' } });
    const limit = 3 * FILE.bytes.length;
    expect(await quota()).toEqual({ quota: 'open_upload_bytes', limit, used: limit });
    await ann.delete(`/builds/uploads/${(body as { id: string }).id}?${scope(project)}`).expect(204);
    await form().expect(201);
    await start().expect(201);
    expect(await quota()).toMatchObject({ used: FILE.bytes.length });
  });

  it('does not hold for organizations that pay', async () => {
    await arrange(environment);
    await app.sql(
      `INSERT INTO ledger_entry (id, organization_id, kind, amount_micro_usd, reference, period, created_at)
       SELECT gen_random_uuid(), $1, 'grant', 1, 'test', open_period, now() FROM billing_account WHERE organization_id = $1`,
      [organization.id],
    );
    await app.sql('UPDATE billing_account SET balance_micro_usd = balance_micro_usd + 1 WHERE organization_id = $1', [
      organization.id,
    ]);
    await start(4 * FILE.bytes.length).expect(201);
    expect(await quota()).toBeUndefined();
  });

  it.each([
    ['has no default', {}, 201],
    ['holds if it is configured', { MAX_OPEN_UPLOAD_BYTES: String(FILE.bytes.length) }, 400],
  ])('%s while billing is off', async (_, variables, status) => {
    await arrange({ ...environment, BILLING: 'off', ...variables });
    await start(4 * FILE.bytes.length).expect(status);
  });
});

describe('a local store without room', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { METRICS_PORT: '0' } });
    ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization());
  });
  afterAll(() => app.stop());

  // red when: no room is kept: the uploads are accepted until the disk is full
  it('rejects uploads with 503 before a byte, reports it, and everything else works', async () => {
    const build = await ann.uploads(project, { bytes: Buffer.from('a disk image'), fileName: 'a.dmg' }, MAC);
    const client = await ResumableClient.start(ann, project, FILE, MAC);
    const [url] = await client.urls(1);
    const full = await TestApp.start({ beside: app, environment: { STORAGE_MIN_FREE_BYTES: '9007199254740991' } });
    try {
      const beside = new Bearer(full.url, ann.token);
      const started = await beside.post(`/builds/uploads?${scope(project)}`, {
        file_name: 'b.dmg',
        size_bytes: 1000,
        ...MAC,
      });
      const form = await beside.upload(project, { bytes: Buffer.from('a disk image'), fileName: 'c.dmg' }, MAC);
      const part = await fetch(url!.replace(app.url, full.url), {
        method: 'PUT',
        body: new Uint8Array(client.part(1)),
      });
      for (const { status, retry } of [
        { status: started.status, retry: started.headers['retry-after'] as unknown },
        { status: form.status, retry: form.headers['retry-after'] as unknown },
        { status: part.status, retry: part.headers.get('retry-after') },
      ]) {
        expect([status, retry]).toEqual([503, '60']);
      }
      expect(await client.arrived()).toEqual([]);

      const ready = await full.anonymous.get('/api/v1/ready').expect(200);
      expect(ready.body).toMatchObject({ status: 'ok' });
      expect((ready.body as { checks: unknown[] }).checks).toContainEqual({ name: 'storage_room', status: 'low' });
      const { body } = await beside.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
      expect((await fetch(full.url + new URL((body as { url: string }).url).pathname)).status).toBe(200);
    } finally {
      await full.stop();
    }
    expect((await client.put(url!, client.part(1))).status).toBe(204);
  });
});
