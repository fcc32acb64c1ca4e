import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BuildJson, Developer, type OrganizationRef, type ProjectRef, scope } from '../../support/actors/actors';
import {
  customerAzure,
  customerS3,
  type CustomerStore,
  ON_THIS_MACHINE,
  putByosa,
  s3Settings,
} from '../../support/actors/byosa';
import { pausesStatements } from '../../support/app/paused-statements';
import { TestApp } from '../../support/app/test-app';
import { type ConsoleRun, startOperator } from '../../support/processes/operator-console';
import { S3Server } from '../../support/servers/stores/s3-server';
import { until } from '../../support/until';

jest.setTimeout(240_000);

const MAC = { platform: 'macos', version: '1.0' };
const BUILDS = 24;
const TRAFFIC_PAUSE_MS = 100;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Flips with --copy in both directions; each is killed and repeated while the organization uploads and downloads. */
describe.each([
  { name: 'S3', customer: customerS3 },
  { name: 'Azure', customer: customerAzure },
])('byosa flip between the hosted store and $name', ({ customer }) => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let store: CustomerStore;
  const builds: BuildJson[] = [];
  beforeAll(async () => {
    [app, store] = await Promise.all([TestApp.start({ environment: ON_THIS_MACHINE }), customer()]);
    ann = await app.developer();
    organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization);
    await putByosa(ann, organization, await store.settings()).expect(200);
    for (let count = 0; count < BUILDS; count++) await uploads();
  });
  afterAll(async () => {
    await app.stop();
    await store.stop();
  });

  const uploads = async (): Promise<void> => {
    const file = { bytes: randomBytes(30_000 + builds.length), fileName: `Build-${builds.length}.dmg` };
    const build = await ann.uploads(project, file, MAC);
    expect(build.sha256).toBe(sha256(file.bytes));
    builds.push(build);
  };
  const downloads = async (build: BuildJson): Promise<void> => {
    const { body } = await ann.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
    const response = await fetch(app.url + new URL((body as { url: string }).url).pathname);
    expect([response.status, sha256(Buffer.from(await response.arrayBuffer()))]).toEqual([200, build.sha256]);
  };
  /** One after the other, because a caller can have only a limited number of open downloads. */
  const downloadsAll = async (): Promise<void> => {
    for (const build of builds) await downloads(build);
  };
  const placesOf = async (): Promise<{ hosted: number; own: number }> => {
    const [row] = await app.sql<{ hosted: number; own: number }>(
      `SELECT count(*) FILTER (WHERE storage_account = 'hosted')::int AS hosted,
              count(*) FILTER (WHERE storage_account <> 'hosted')::int AS own FROM build`,
    );
    return row!;
  };
  const flip = (to: string) =>
    startOperator(app, ['byosa', 'flip', organization.id, '--to', to, '--copy', '--yes', '--json'], ON_THIS_MACHINE);
  const reportOf = ({ status, out, err }: ConsoleRun): Record<string, unknown> => {
    // A successful run can print a deprecation warning of the SDK to stderr.
    expect([status, status === 0 ? '' : err]).toEqual([0, '']);
    return JSON.parse(out) as Record<string, unknown>;
  };
  /** Uploads and downloads until `stop` is called, with pauses, because a flip copies each upload. A failed request fails the test. */
  const startTraffic = (): { stop: () => Promise<number> } => {
    let stopped = false;
    const work = (async () => {
      let count = 0;
      for (; !stopped; count++) {
        if (count % 4 === 0) await uploads();
        await downloads(builds[count % builds.length]!);
        await sleep(TRAFFIC_PAUSE_MS);
      }
      return count;
    })();
    return {
      stop: () => {
        stopped = true;
        return work;
      },
    };
  };
  const usage = (): Promise<object[]> =>
    app.sql(
      `SELECT kind, sum(quantity)::text AS quantity FROM ledger_entry WHERE kind LIKE 'usage_%' GROUP BY kind ORDER BY 1`,
    );

  /** Kills a flip when it has moved some builds and not all. */
  const flipAndKill = async (to: 'byosa' | 'hosted', total: number): Promise<void> => {
    const moved = async (): Promise<number> => (await placesOf())[to === 'byosa' ? 'own' : 'hosted'];
    const before = await moved();
    // Slow enough to be killed before it has moved all.
    const ofRows = 'OLD.storage_account IS DISTINCT FROM NEW.storage_account';
    const goesOn = await pausesStatements(app, { event: 'AFTER UPDATE', table: 'build', seconds: 0.5, ofRows });
    const first = flip(to);
    await until(async () => (await moved()) >= before + 4, { everyMs: 2 });
    first.kill();
    expect((await first.done).status).toBeNull();
    await goesOn();
    expect(await moved()).toBeLessThan(total);
    await Promise.all(builds.slice(0, 5).map(downloads));
  };

  it('moves every artifact to the customer after it was killed and repeated, and stops the meters', async () => {
    const traffic = startTraffic();
    await flipAndKill('byosa', BUILDS);
    const report = reportOf(await flip('byosa').done);
    expect(report).toMatchObject({ to: 'byosa', failed: [] });
    // red when: a second run moves all builds again
    expect(Number(report['moved'])).toBeLessThanOrEqual(builds.length - 4);
    expect(await traffic.stop()).toBeGreaterThan(0);
    await downloadsAll();
    expect((await placesOf()).hosted).toBe(Number(report['builds_elsewhere']));
    expect(reportOf(await flip('byosa').done)).toMatchObject({ builds_elsewhere: 0, uploads_elsewhere: 0 });
    expect((await placesOf()).hosted).toBe(0);
    // red when: the flip does not stop the meters
    const before = await usage();
    await uploads();
    await downloads(builds[0]!);
    expect(await usage()).toEqual(before);

    // Old blobs stay for a day, for downloads that have started.
    await app.runsJob('builds.end-moves');
    expect((await hostedFiles()).length).toBeGreaterThanOrEqual(BUILDS);
    await app.clock.advance({ hours: 25 });
    await app.runsJob('builds.end-moves');
    expect(await hostedFiles()).toEqual([]);
  });

  it('moves every artifact back, and removes the empty account', async () => {
    ann = await Developer.logIn(app.url, ann.email, ann.password);
    await ann.delete(`/organizations/${organization.id}/byosa`).expect(204);
    const traffic = startTraffic();
    await flipAndKill('hosted', builds.length);
    reportOf(await flip('hosted').done);
    await traffic.stop();
    expect(reportOf(await flip('hosted').done)).toMatchObject({ failed: [], builds_elsewhere: 0 });
    await downloadsAll();
    expect((await placesOf()).own).toBe(0);
    await app.runsJob('storage.remove-drained');
    expect(await app.sql('SELECT state FROM storage_account')).toEqual([{ state: 'draining' }]);
    await app.clock.advance({ hours: 25 });
    await app.runsJob('builds.end-moves');
    await app.runsJob('storage.remove-drained');
    expect(await app.sql('SELECT state FROM storage_account')).toEqual([]);
    const events = await app.sql<{ type: string }>(
      `SELECT type FROM audit_event WHERE type LIKE 'byosa.%' ORDER BY position`,
    );
    expect(events.map(({ type }) => type)).toEqual([
      'byosa.configured',
      'byosa.flipped',
      'byosa.changed',
      'byosa.flipped',
      'byosa.removed',
    ]);
  });

  const hostedFiles = async (): Promise<string[]> =>
    (await readdir(join(app.dataDirectory, 'artifacts'), { recursive: true })).filter((name) => name.endsWith('.blob'));
});

/** On S3 only, because the API of S3 lists unfinished multipart uploads, which cost storage. */
describe('byosa flip that is killed during an artifact', () => {
  let app: TestApp;
  let store: S3Server;
  beforeAll(async () => {
    [app, store] = await Promise.all([TestApp.start({ environment: ON_THIS_MACHINE }), S3Server.start()]);
  });
  afterAll(async () => {
    await app.stop();
    await store.stop();
  });

  // red when: the next run does not abort the unfinished multipart upload
  it('leaves no multipart upload when it is repeated', async () => {
    const ann = await app.developer();
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    const project = await ann.createsProject(organization);
    const description = store.bucket();
    await putByosa(ann, organization, { s3: s3Settings(description) }).expect(200);
    const file = { bytes: randomBytes(20 * 1024 * 1024), fileName: 'Large.dmg' };
    const build = await ann.uploads(project, file, MAC);
    const words = ['byosa', 'flip', organization.id, '--to', 'byosa', '--copy', '--yes', '--json'];

    // The checks of the store upload parts before the copy does.
    const copies = (): string[] => store.openUploads(description).filter((key) => key.startsWith('builds/'));
    store.fault = ({ url }) =>
      url.pathname.includes('/builds/') && url.searchParams.get('partNumber') === '2' ? { kind: 'silence' } : undefined;
    const first = startOperator(app, words, ON_THIS_MACHINE);
    await until(() => copies().length !== 0);
    first.kill();
    await first.done;
    store.fault = () => undefined;

    const { status, out } = await startOperator(app, words, ON_THIS_MACHINE).done;
    expect([status, JSON.parse(out)]).toMatchObject([0, { moved: 1, failed: [], builds_elsewhere: 0 }]);
    await until(() => store.openUploads(description).length === 0);
    const { body } = await ann.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
    const response = await fetch(app.url + new URL((body as { url: string }).url).pathname);
    expect(sha256(Buffer.from(await response.arrayBuffer()))).toBe(sha256(file.bytes));
  });
});
