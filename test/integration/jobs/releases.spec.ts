import {
  type BuildJson,
  type ChannelJson,
  type Developer,
  type ProjectRef,
  type ReleaseJson,
  scope,
} from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { apk, ipa } from '../../support/artifacts/valid-artifacts';

/** Runs two instances of the service on one database. */
describe('concurrent release requests', () => {
  let app: TestApp;
  let beside: TestApp;
  let ann: Developer;
  /** The same developer on the other instance. */
  let ann2: Developer;
  let project: ProjectRef;
  let beta: ChannelJson;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    beside = await TestApp.start({ worker: false, beside: app });
    ann = await verifiedDeveloper(app);
    ann2 = Object.assign(Object.create(ann) as Developer, { url: beside.url });
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization);
  });
  beforeEach(async () => {
    beta = await ann.createsChannel(project);
  });
  afterAll(async () => {
    await beside.stop();
    await app.stop();
  });

  const either = (n: number): Developer => (n % 2 === 0 ? ann : ann2);
  const uploads = (count: number, android = 0): Promise<BuildJson[]> =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        n < android
          ? ann.uploads(project, { bytes: apk(), fileName: 'Demo.apk' })
          : ann.uploads(project, { bytes: ipa(), fileName: 'Demo.ipa' }),
      ),
    );
  const releasePath = (id: string): string => `/releases/${id}?${scope(project)}&channel_id=${beta.id}`;

  interface Row {
    readonly id: string;
    readonly platform: string;
    readonly sequence: number;
  }
  const releases = (): Promise<Row[]> =>
    app.sql<Row>('SELECT id, platform, sequence FROM release WHERE channel_id = $1 ORDER BY sequence', [beta.id]);
  /** The current releases, and the expected ones: those with the highest number of each platform. */
  const state = async (): Promise<{ current: object[]; highest: object[] }> => ({
    current: await app.sql(
      'SELECT platform, release_id AS id FROM current_release WHERE channel_id = $1 ORDER BY platform',
      [beta.id],
    ),
    highest: await app.sql(
      `SELECT DISTINCT ON (platform) platform, id FROM release WHERE channel_id = $1 AND deleted_at IS NULL
       ORDER BY platform, sequence DESC`,
      [beta.id],
    ),
  });

  // red when: nextSequence counts the releases instead of updating the channel's row
  it('leave one current release per platform and numbers without gaps', async () => {
    const builds = await uploads(20, 10);
    const responses = await Promise.all(builds.map((build, n) => either(n).promote(project, beta, build)));
    expect(responses.map(({ status }) => status)).toEqual(builds.map(() => 201));
    expect((await releases()).map(({ sequence }) => sequence)).toEqual(builds.map((_, n) => n + 1));
    const { current, highest } = await state();
    expect(current).toEqual(highest);
    expect(current).toHaveLength(2);
    const jobs = await app.sql(
      `SELECT payload->'data'->>'releaseId' AS id FROM graphile_worker._private_jobs j
         JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = 'release.announce'`,
    );
    expect(jobs).toEqual(expect.arrayContaining((await releases()).map(({ id }) => ({ id }))));
  });

  // red when: promote does not lock the channel before it reads the current release
  it('promote a build once', async () => {
    const [build] = (await uploads(1)) as [BuildJson];
    const responses = await Promise.all(Array.from({ length: 8 }, (_, n) => either(n).promote(project, beta, build)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect(await releases()).toHaveLength(1);
  });

  // red when: withdraw does not lock the channel
  it('withdraw every release, also one that just became current', async () => {
    const builds = await uploads(8);
    for (let round = 0; round < 6; round++) {
      const made: ReleaseJson[] = [];
      for (const build of builds) made.unshift(await ann.promotes(project, beta, build));
      const responses = await Promise.all(made.map(({ id }, n) => either(n).delete(releasePath(id))));
      expect(responses.map(({ status }) => status)).toEqual(made.map(() => 204));
      expect(await state()).toEqual({ current: [], highest: [] });
    }
  });

  const undo = (by: Developer, id: string) => by.post(`/releases/${id}/undo?${scope(project)}&channel_id=${beta.id}`);

  // red when: undo does not lock the release before it reads it
  it('undo a promotion once', async () => {
    const [before, build] = (await uploads(2)) as [BuildJson, BuildJson];
    const first = await ann.promotes(project, beta, before);
    const { id } = await ann.promotes(project, beta, build);
    const responses = await Promise.all(Array.from({ length: 8 }, (_, n) => undo(either(n), id)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404, 404, 404]);
    expect((await releases()).map((release) => release.id)).toEqual([first.id]);
    const events = await app.sql(
      `SELECT FROM audit_event WHERE type = 'release.undone' AND payload->>'release_id' = $1`,
      [id],
    );
    expect(events).toHaveLength(1);
  });

  // red when: undo does not lock the channel, so that it undoes a release that another promotion has just replaced
  it.each([1, 2, 3, 4])(
    'undo and replace a promotion: one comes first, and the other sees it (round %i)',
    async (round) => {
      const [a, b, c] = (await uploads(3)) as [BuildJson, BuildJson, BuildJson];
      const first = await ann.promotes(project, beta, a);
      const second = await ann.promotes(project, beta, b);
      const requests = [() => undo(either(round), second.id), () => either(round + 1).promote(project, beta, c)];
      const started = (round % 2 === 0 ? requests : requests.reverse()).map((request) => request());
      const responses = await Promise.all(round % 2 === 0 ? started : started.reverse());
      const [undone, promoted] = responses as [(typeof responses)[0], (typeof responses)[0]];
      expect(promoted.status).toBe(201);
      const { id } = promoted.body as ReleaseJson;
      expect([200, 400]).toContain(undone.status);
      if (undone.status === 200) expect(undone.body).toMatchObject({ current: { id: first.id } });
      else expect(undone.body).toMatchObject({ details: { reason: 'undo_replaced' } });
      const kept = undone.status === 200 ? [first.id, id] : [first.id, second.id, id];
      expect((await releases()).map((release) => release.id)).toEqual(kept);
      const { current, highest } = await state();
      expect(current).toEqual(highest);
      expect(current).toMatchObject([{ id }]);
    },
  );

  // Mixes all operations to find unknown races. The tests above cover the known ones.
  it.each([1, 2, 3, 4, 5, 6])('of all kinds leave the highest release current (round %i)', async (round) => {
    const builds = await uploads(6, 2);
    const made: ReleaseJson[] = [];
    for (const build of builds) made.push(await ann.promotes(project, beta, build));
    const requests = [
      ...builds.map((build, n) => () => either(n).promote(project, beta, build)),
      ...made.map(
        ({ id }, n) =>
          () =>
            either(n + round).delete(releasePath(id)),
      ),
      ...made.map(
        ({ id }, n) =>
          () =>
            undo(either(n), id),
      ),
      ...builds.map(
        ({ id }, n) =>
          () =>
            either(n).delete(`/builds/${id}?${scope(project)}`),
      ),
      () => ann.delete(`/channels/${beta.id}?${scope(project)}`),
    ];
    const shuffled = requests
      .map((request, n) => ({ request, at: (n * (7 + round * 4)) % requests.length }))
      .sort((x, y) => x.at - y.at);
    const responses = await Promise.all(shuffled.map(({ request }) => request()));
    expect(
      responses.map(({ status }) => status).filter((status) => ![200, 201, 204, 400, 404, 409].includes(status)),
    ).toEqual([]);
    const { current, highest } = await state();
    expect(current).toEqual(highest);
  });

  it('cannot violate the constraints: the database rejects a second current release, or one of another channel or platform', async () => {
    const [build] = (await uploads(1)) as [BuildJson];
    const { id } = await ann.promotes(project, beta, build);
    const other = await ann.createsChannel(project);
    const insert = (channel: string, platform: string): Promise<unknown> =>
      app.sql('INSERT INTO current_release VALUES ($1, $2, $3)', [channel, platform, id]);
    await expect(insert(beta.id, 'ios')).rejects.toThrow('pk_current_release');
    await expect(insert(beta.id, 'android')).rejects.toThrow('uq_current_release_release');
    await app.sql('DELETE FROM current_release WHERE release_id = $1', [id]);
    await expect(insert(beta.id, 'android')).rejects.toThrow('fk_current_release_release');
    await expect(insert(other.id, 'ios')).rejects.toThrow('fk_current_release_release');
    await insert(beta.id, 'ios');
  });
});
