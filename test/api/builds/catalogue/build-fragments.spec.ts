import { DataSource } from 'typeorm';
import { ANONYMOUS } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { dataSourceOptions } from '#infra/database/data-source-options';
import { Transactions } from '#infra/database/transactions';
import { PreparingClient } from '#infra/fast-paths/pg/preparing-client';
import { BuildVersionsRepository } from '../../../../src/read-models/builds/build-versions.repository';
import { BuildViewsService } from '../../../../src/read-models/builds/build-views.service';
import { Bearer, type BuildJson, type Developer, type ProjectRef, scope } from '../../../support/actors/actors';
import { verifiedDeveloper } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';
import { aab, apk, ipa } from '../../../support/artifacts/valid-artifacts';

interface Item extends BuildJson {
  readonly app: Record<string, unknown>;
  readonly signing: Record<string, unknown> | null;
}

interface Page {
  readonly items: Item[];
  readonly next_cursor: string | null;
}

/** A build as a list shows it: without the long facts of its artifact. */
const asListed = ({ app, signing, ...build }: Item): Item => ({
  ...build,
  app: { ...app, permissions: null, usage_descriptions: null },
  signing: signing && { ...signing, entitlements: null, devices: null },
});

describe('a list of builds whose JSON is cached', () => {
  let app: TestApp;
  /** Another process of the installation, which forgets all JSON before each response. */
  let cold: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let token: string;
  let ios: BuildJson;
  let android: BuildJson;
  let readers: Readonly<Record<string, string>>;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    cold = await TestApp.start({ beside: app, worker: false });
    ann = await verifiedDeveloper(app);
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization);
    const inDays = (days: number): Date => new Date(app.clock.now().getTime() + days * 86_400_000);
    const generic = { bytes: Buffer.from('☃'), fileName: '☃ "1".bin' };
    await ann.uploads(project, generic, { platform: 'linux', version: '1.0', branch: 'Zweig "ä"' });
    await ann.uploads(project, { bytes: aab(), fileName: 'Demo.aab' });
    await ann.uploads(project, {
      bytes: ipa({ expiresAt: inDays(-1), info: { CFBundleShortVersionString: '0.9' } }),
      fileName: 'Expired.ipa',
    });
    const expiresAt = inDays(31);
    ios = await ann.uploads(project, { bytes: ipa({ expiresAt }), fileName: 'Demo.ipa' });
    token = await ann.createsToken(project);
    android = await app.ci(token).uploads(project, { bytes: apk(), fileName: 'Ünï-☃.apk' }, { notes: '"] } \u2028 ☃' });
    readers = {
      developer: ann.token,
      uploader: token,
      viewer: await ann.createsToken(project, 'VIEW_PROJECT'),
    };
  });
  afterAll(async () => {
    await cold.stop();
    await app.stop();
  });

  const listOf = async (from: TestApp, credential: string, query = ''): Promise<string> =>
    (await new Bearer(from.url, credential).get(`/builds?${scope(project)}${query}`).expect(200)).text;

  const forget = (by: TestApp): void => by.nest.get(BuildViewsService).fragments.clear();

  /** The builds of a list that is read page by page, one build each. */
  const pagesOf = async (from: TestApp, credential: string): Promise<Item[]> => {
    const items: Item[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = JSON.parse(await listOf(from, credential, `&limit=1${cursor && `&cursor=${cursor}`}`)) as Page;
      items.push(...page.items);
      cursor = page.next_cursor;
    }
    return items;
  };

  /** The methods by which an act reads versions and builds. */
  const methodsOf = async (act: () => Promise<unknown>): Promise<string[]> => {
    const called: string[] = [];
    const repository = app.nest.get(BuildVersionsRepository);
    const spies = (['newest', 'of', 'readNewest', 'readOf'] as const).map((name) => {
      const method = repository[name].bind(repository) as (...values: unknown[]) => Promise<never>;
      return jest.spyOn(repository, name).mockImplementation((...values) => {
        called.push(name);
        return method(...values);
      });
    });
    await act();
    for (const spy of spies) spy.mockRestore();
    return called;
  };

  /** Every reader gets from this process the same JSON as from a process without cached JSON, and as from the routes of single builds. */
  const expectCurrent = async (of = Object.keys(readers)): Promise<Item[]> => {
    let items: Item[] = [];
    for (const name of of) {
      const credential = readers[name] as string;
      const text = await listOf(app, credential);
      forget(cold);
      expect([name, text]).toEqual([name, await listOf(cold, credential)]);
      ({ items } = JSON.parse(text) as Page);
      forget(cold);
      for (const from of [app, cold]) expect(await pagesOf(from, credential)).toEqual(items);
      for (const item of items) {
        const { body } = await new Bearer(app.url, credential).get(`/builds/${item.id}?${scope(project)}`).expect(200);
        expect(item).toEqual(asListed(body as Item));
        expect(Object.keys(item)).toEqual(Object.keys(body as Item));
        expect(item.install_url === null).toBe(name === 'viewer');
      }
    }
    return items;
  };

  // red when: the cache does not compare the version, or the version leaves out the link, the channels or the label
  it('is current after every change, for every caller', async () => {
    await expectCurrent();
    await ann.patch(`/builds/${ios.id}?${scope(project)}`, { notes: 'New notes' }).expect(200);
    expect((await expectCurrent()).map(({ notes }) => notes)).toContain('New notes');
    await ann.post(`/builds/${ios.id}/rotate-link?${scope(project)}`).expect(200);
    await expectCurrent();
    const channel = await ann.createsChannel(project, 'Beta');
    await ann.promotes(project, channel, ios);
    expect((await expectCurrent())[1]).toMatchObject({ channels: [{ name: 'Beta', current: true }] });
    await ann.patch(`/channels/${channel.id}?${scope(project)}`, { name: 'Nightly' }).expect(200);
    expect((await expectCurrent())[1]).toMatchObject({ channels: [{ name: 'Nightly' }] });
    const newer = await ann.uploads(project, { bytes: ipa(), fileName: 'Newer.ipa' });
    await ann.promotes(project, channel, newer);
    expect((await expectCurrent())[2]).toMatchObject({ channels: [{ name: 'Nightly', current: false }] });
    await ann.promotes(project, channel, ios);
    await ann.delete(`/builds/${newer.id}?${scope(project)}&permanently=true`).expect(204);
    await expectCurrent();
    await ann.patch('/developers/me', { name: 'Ann "A" Other' }).expect(200);
    expect((await expectCurrent())[1]).toMatchObject({ uploaded_by: { label: 'Ann "A" Other' } });
    const { body } = await ann.post(`/builds/${android.id}/download-url?${scope(project)}`).expect(200);
    await app.anonymous.get(new URL((body as { url: string }).url).pathname).expect(200);
    expect((await expectCurrent())[0]).toMatchObject({ downloads: { total: 1 } });
    await ann.delete(`/builds/${android.id}?${scope(project)}&permanently=true`).expect(204);
    expect(await expectCurrent()).toHaveLength(4);
  });

  // red when: the JSON is kept under a version that a later statement read
  it('never shows a state from before a change that is complete', async () => {
    const change = async (round: number): Promise<void> => {
      await ann.patch(`/builds/${ios.id}?${scope(project)}`, { notes: `Round ${round}` }).expect(200);
    };
    const roundOf = (text: string): number => Number(/"notes":"Round (\d+)"/.exec(text)?.[1] ?? -1);
    let completed = -1;
    let isDone = false;
    const read = async (from: TestApp): Promise<void> => {
      while (!isDone) {
        const before = completed;
        expect(roundOf(await listOf(from, ann.token))).toBeGreaterThanOrEqual(before);
      }
    };
    const write = async (): Promise<void> => {
      for (let round = 0; round < 40; round += 1) {
        await change(round);
        completed = round;
      }
      isDone = true;
    };
    await Promise.all([write(), read(app), read(app), read(cold)]);
    await expectCurrent();
  });

  // red when: a fragment is shown after its time
  it('shows the warnings of the current time', async () => {
    const codes = async (): Promise<unknown> =>
      (await expectCurrent(['uploader', 'viewer']))[0]?.warnings.map(({ code }) => code);
    expect(await codes()).toEqual([]);
    await app.clock.advance({ days: 2 });
    expect(await codes()).toEqual(['profile_expires_soon']);
    await app.clock.advance({ days: 30 });
    expect(await codes()).toEqual(['profile_expired']);
  });

  // red when: the JSON of all builds is read at each request
  it('reads no build whose current version is cached', async () => {
    // A fragment is cached when it is made for the second time.
    for (let time = 0; time < 2; time += 1) await pagesOf(app, token);
    expect(await methodsOf(() => pagesOf(app, token))).toEqual(['newest', 'newest', 'newest', 'newest']);
  });

  // red when: the build before the page is not considered, or all pages are read in two steps
  it('reads a page together with its versions when the build before it is not kept', async () => {
    forget(app);
    expect(await methodsOf(() => pagesOf(app, token))).toEqual([
      'newest',
      'readOf',
      'readNewest',
      'readNewest',
      'readNewest',
    ]);
  });

  // red when: only the build before a page decides whether the page is kept
  it('keeps a late page that is requested again, also when the build before it is not kept', async () => {
    forget(app);
    const { next_cursor: cursor } = JSON.parse(await listOf(app, token, '&limit=1')) as Page;
    const late = (): Promise<string> => listOf(app, token, `&limit=1&cursor=${cursor}`);
    for (const methods of [['readNewest'], ['newest', 'readOf'], ['newest']]) {
      expect(await methodsOf(late)).toEqual(methods);
    }
  });

  // red when: the versions of builds are read although none of them is kept
  it('reads filtered builds together with their versions when none of them is kept', async () => {
    const filtered = (): Promise<string> => listOf(app, token, '&platform=ios');
    forget(app);
    // The second time, they are kept.
    for (let time = 0; time < 2; time += 1) expect(await methodsOf(filtered)).toEqual(['readOf']);
    expect(await methodsOf(filtered)).toEqual(['of']);
  });

  // red when: the planner sees the values, the statement is not prepared, or its rows are ordered by id alone
  it('is planned once, by the index of its project', async () => {
    await app.sql(
      `INSERT INTO build SELECT copy.* FROM build AS b, generate_series(1, 3000) AS n, jsonb_populate_record(NULL::build, to_jsonb(b)
         || jsonb_build_object('id', uuidv7(), 'blob_key', gen_random_uuid(), 'build_number', n)) AS copy WHERE b.id = $1`,
      [ios.id],
    );
    await app.sql('ANALYZE build');
    const { options, entityMetadatas } = app.nest.get(DataSource);
    const { url } = options as { url: string };
    // Test files that ran before in this process may have sent more frequent statements than are prepared.
    PreparingClient.names.renew();
    const entities = entityMetadatas.map(({ target }) => target);
    const connection = await new DataSource({ ...dataSourceOptions(url, 1), entities }).initialize();
    const versions = new BuildVersionsRepository(new Transactions(connection));
    const ctx: RequestContext = { requestId: '1', sourceIp: null, identity: ANONYMOUS, clock: app.clock };
    const of = { organizationId: project.organizationId, projectId: project.id };
    const range = { before: null, count: 2 };
    for (let time = 0; time < 20; time += 1) {
      expect(await versions.newest(ctx, of, range)).toHaveLength(2);
      expect(await versions.readNewest(ctx, of, range)).toHaveLength(2);
    }
    const prepared = await connection.query<{ name: string; custom: number }[]>(
      'SELECT name, custom_plans::int AS custom FROM pg_prepared_statements',
    );
    const plans = await Promise.all(
      prepared.map(({ name }) =>
        connection.query<object[]>(
          `EXPLAIN EXECUTE "${name}" ('${of.organizationId}', '${of.projectId}', '${ios.id}', 2)`,
        ),
      ),
    );
    await connection.destroy();
    // PostgreSQL makes five plans for values before it considers one for all.
    expect(prepared.map(({ custom }) => custom)).toEqual([5, 5]);
    for (const plan of plans) expect(JSON.stringify(plan)).toContain('Index Scan Backward using ix_build_project');
  });
});
