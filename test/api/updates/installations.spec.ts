import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type BuildJson, type ChannelJson, type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { apk } from '../../support/artifacts/valid-artifacts';

/** An App Center SDK reports an installation once, with the `id` of the release that it had downloaded. */
describe('the count of installations that run a build', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let channel: ChannelJson;
  let ofChannel: string;
  let ofProject: string;
  beforeAll(async () => {
    // Jobs would add statements of their own.
    app = await TestApp.start({ worker: false });
    ann = await verifiedDeveloper(app);
    const organization = await ann.createsOrganization();
    project = await ann.createsProject(organization);
    await ann.changesPlan(organization, 'business');
    channel = await ann.createsChannel(project);
    ofChannel = await createsKey(`&channel_id=${channel.id}`);
    ofProject = await createsKey();
  });
  afterAll(() => app.stop());

  const createsKey = async (more = ''): Promise<string> => {
    const { body } = await ann.post(`/update-keys?${scope(project)}${more}`, { platform: 'android' }).expect(201);
    return (body as { key: string }).key;
  };
  let versionCode = 1;
  const promotes = async (): Promise<BuildJson> => {
    versionCode += 1;
    const build = await ann.uploads(project, { bytes: apk({ versionCode }), fileName: 'Demo.apk' });
    await ann.promotes(project, channel, build);
    return build;
  };
  const check = (query: string, key = ofChannel) => app.anonymous.get(`/updates/${key}?${query}`).expect(200);
  const sdk = (query: string, key = ofChannel) =>
    app.anonymous.get(`/updates/${key}/appcenter/v0.1/public/sdk/apps/x/releases/latest?${query}`).expect(200);
  const running = async (build: BuildJson): Promise<number> => {
    const { body } = await ann.get(`/builds/${build.id}/funnel?${scope(project)}`).expect(200);
    return (body as { running: number }).running;
  };
  const installed = ({ build_number: number }: BuildJson): string => `build=${String(number)}&version=1.2.3`;

  // red when: the row is not unique by installation, or an installation of another version is counted
  it('counts an installation once when the check says that it has the current build', async () => {
    const build = await promotes();
    const [one, two] = [randomUUID(), randomUUID()];
    await check(installed(build));
    await check(`build=1&version=1.0&install_id=${one}`);
    await check(`install_id=${one}`);
    await check(`${installed(build)}&install_id=`);
    expect(await running(build)).toBe(0);
    for (const id of [one, one, two, one]) await check(`${installed(build)}&install_id=${id}`);
    expect(await running(build)).toBe(2);
    await app.anonymous.get(`/updates/${ofChannel}?install_id=${'x'.repeat(129)}`).expect(400);
  });

  // red when: the number is taken for that of the current release
  it('counts the report of an App Center SDK for the release that it names', async () => {
    const build = await promotes();
    const { body } = await sdk('release_hash=');
    const { id } = body as { id: number };
    const newer = await promotes();
    const installId = randomUUID();
    for (let time = 0; time < 2; time += 1) await sdk(`install_id=${installId}&downloaded_release_id=${id}`);
    expect([await running(build), await running(newer)]).toEqual([1, 0]);
    await sdk(`install_id=${installId}&downloaded_release_id=${id + 1}`);
    await sdk(`install_id=${installId}&downloaded_release_id=${id + 1}`);
    expect([await running(build), await running(newer)]).toEqual([1, 1]);
    for (const sent of ['999', '0', '-1', 'x', '99999999999', '', '1&downloaded_release_id=2'])
      await sdk(`install_id=${randomUUID()}&downloaded_release_id=${sent}`);
    await sdk(`downloaded_release_id=${id}`);
    await sdk(`install_id=${'x'.repeat(129)}&downloaded_release_id=${id}`);
    await sdk(`install_id=a&install_id=b&downloaded_release_id=${id}`);
    expect([await running(build), await running(newer)]).toEqual([1, 1]);
  });

  it('counts with the key of a project, also an earlier build', async () => {
    const build = await promotes();
    const { id } = (await sdk('', ofProject)).body as { id: number };
    await check(`${installed(build)}&install_id=${randomUUID()}`, ofProject);
    await sdk(`install_id=${randomUUID()}&downloaded_release_id=${id}`, ofProject);
    expect(await running(build)).toBe(2);
    await app.sql(`UPDATE build SET uploaded_at = uploaded_at - interval '1 minute' WHERE id = $1`, [build.id]);
    const newer = await promotes();
    await sdk(`install_id=${randomUUID()}&downloaded_release_id=${id - 60}`, ofProject);
    expect([await running(build), await running(newer)]).toEqual([3, 0]);
  });

  // red when: the id is stored as it was sent, or a digest without the key of the service
  it('stores only a short keyed digest, which differs between keys, and deletes it with the build', async () => {
    const build = await promotes();
    const installId = randomUUID();
    for (const key of [ofChannel, ofProject]) await check(`${installed(build)}&install_id=${installId}`, key);
    const stored = (): Promise<{ digest: Buffer }[]> =>
      app.sql('SELECT digest FROM build_installation WHERE build_id = $1', [build.id]);
    const digests = (await stored()).map(({ digest }) => digest);
    expect(digests.map(({ length }) => length)).toEqual([16, 16]);
    expect(digests[0]).not.toEqual(digests[1]);
    const rows = await app.sql<{ text: string }>('SELECT i::text AS text FROM build_installation i');
    expect(JSON.stringify(rows)).not.toContain(installId.slice(0, 8));
    await promotes();
    await ann.delete(`/builds/${build.id}?${scope(project)}&permanently=true`).expect(204);
    expect(await stored()).toEqual([]);
  });

  // red when: a check reads the key, the build or the installation in a statement of its own
  it('costs nothing but the statement of the check, except for the first report', async () => {
    const build = await promotes();
    const number = (await sdk('')).body as { id: number };
    const query = jest.spyOn(Client.prototype, 'query');
    const statements = async (request: Promise<unknown>): Promise<number> => {
      query.mockClear();
      await request;
      const sent = query.mock.calls.map(([text]: unknown[]) =>
        typeof text === 'string' ? text : JSON.stringify(text),
      );
      return sent.filter((text) => /update_key|build|release|invite/.test(text)).length;
    };
    const reported = `${installed(build)}&install_id=${randomUUID()}`;
    const ofSdk = `install_id=${randomUUID()}&downloaded_release_id=${number.id}`;
    expect(await statements(check(installed(build)))).toBe(1);
    expect([await statements(check(reported)), await statements(check(reported))]).toEqual([2, 1]);
    expect([await statements(sdk(ofSdk)), await statements(sdk(ofSdk))]).toEqual([2, 1]);
    query.mockRestore();
  });

  // red when: a client that invents ids can add rows without end
  it('has a maximum that is far above the installations of an app', async () => {
    const build = await promotes();
    const report = `${installed(build)}&install_id=${randomUUID()}`;
    await check(report);
    const [own] = await app.sql<{ digest: Buffer }>(
      'DELETE FROM build_installation WHERE build_id = $1 RETURNING digest',
      [build.id],
    );
    await app.sql(
      `INSERT INTO build_installation (build_id, digest, organization_id, project_id, reported_at)
       SELECT $1, $2 || decode(lpad(to_hex(n), 30, '0'), 'hex'), $3, $4, now() FROM generate_series(1, 1023) n`,
      [build.id, own!.digest.subarray(0, 1), project.organizationId, project.id],
    );
    await check(report);
    expect(await running(build)).toBe(1024);
    await app.sql(
      `INSERT INTO build_installation (build_id, digest, organization_id, project_id, reported_at)
       SELECT $1, $2 || decode(repeat('ab', 15), 'hex'), $3, $4, now()`,
      [build.id, own!.digest.subarray(0, 1), project.organizationId, project.id],
    );
    await app.sql('DELETE FROM build_installation WHERE digest = $1', [own!.digest]);
    await check(report);
    expect(await running(build)).toBe(1024);
  });

  // red when: one network can fill the count of a build with invented ids
  it('counts at most 500 installations per network and day, so that those of others are counted', async () => {
    const limited = await TestApp.start({
      beside: app,
      environment: { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_FACTOR: '1000' },
      worker: false,
    });
    try {
      const build = await promotes();
      const reports = (address: string): Promise<unknown> =>
        limited.anonymous
          .get(`/updates/${ofChannel}?${installed(build)}&install_id=${randomUUID()}`)
          .set('X-Forwarded-For', address)
          .expect(200);
      const invented = Array.from({ length: 520 }, (_, n) => `2001:db8:1:${n.toString(16)}::1`);
      for (let n = 0; n < invented.length; n += 20) await Promise.all(invented.slice(n, n + 20).map(reports));
      expect(await running(build)).toBe(500);
      await reports('2001:db8:2::1');
      await reports('198.51.100.1');
      expect(await running(build)).toBe(502);
      await app.clock.advance({ hours: 25 });
      await reports('2001:db8:1::1');
      const [{ count }] = (await app.sql<{ count: number }>(
        'SELECT count(*)::int AS count FROM build_installation WHERE build_id = $1',
        [build.id],
      )) as [{ count: number }];
      expect(count).toBe(503);
    } finally {
      await limited.stop();
    }
  });
});
