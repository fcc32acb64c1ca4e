import { randomUUID } from 'node:crypto';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type BuildFilter } from '#modules/builds';
import { BuildsRepository } from '../../../../src/modules/builds/catalogue/builds.repository';
import { BuildListRepository } from '../../../../src/modules/builds/catalogue/list/build-list.repository';
import { type BuildJson, Developer, type ProjectRef, scope } from '../../../support/actors/actors';
import { verifiedDeveloper } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';
import { aab, apk, ipa } from '../../../support/artifacts/valid-artifacts';
import { plansOf, rowsRead } from '../../../support/checks/statement-plans';

const IPA = { bytes: ipa(), fileName: 'Demo.ipa' };
const APK = { bytes: apk(), fileName: 'Demo.apk' };
const AAB = { bytes: aab(), fileName: 'Demo.aab' };

const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';

/** More builds than a request with a computed condition reads. */
const MANY = 5_100;

const scopeOfRef = ({ organizationId, id }: ProjectRef): ProjectScope => ({ organizationId, projectId: id });

const atOf = (build: BuildJson): string => build['uploaded_at'];

interface Listed {
  readonly items: readonly BuildJson[];
  readonly next_cursor: string | null;
}

describe('the list of builds', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let ios: BuildJson;
  let android: BuildJson;
  let bundle: BuildJson;
  let tokenId: string;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    ann = await verifiedDeveloper(app);
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization);
    const ci = app.ci(await ann.createsToken(project));
    ios = await ann.uploads(project, IPA, { version: '1.0', branch: 'main', commit: COMMIT });
    await app.clock.advance({ minutes: 2 });
    android = await ci.uploads(project, APK, { version: '1.0', branch: 'release/1', commit: '9fce%' });
    await app.clock.advance({ minutes: 2 });
    bundle = await ann.uploads(project, AAB, { version: '1.1' });
    const [token] = await app.sql<{ id: string }>(`SELECT id FROM project_access_token WHERE project_id = $1`, [
      project.id,
    ]);
    tokenId = token?.id ?? '';
  });
  afterAll(() => app.stop());

  const list = async (query: Readonly<Record<string, string>>, of = project): Promise<Listed> =>
    (await ann.get(`/builds?${scope(of)}&${new URLSearchParams(query).toString()}`).expect(200)).body as Listed;
  const found = async (query: Readonly<Record<string, string>>): Promise<readonly string[]> =>
    (await list(query)).items.map(({ id }) => id);

  // red when: an id has another time than the upload of its build
  it('can be filtered by branch, uploader and time of the upload', async () => {
    expect(await found({ branch: 'main' })).toEqual([ios.id]);
    expect(await found({ branch: 'mai' })).toEqual([]);
    expect(await found({ uploaded_by: tokenId })).toEqual([android.id]);
    expect(await found({ uploaded_by: ann.id })).toEqual([bundle.id, ios.id]);
    expect(await found({ from: atOf(android) })).toEqual([bundle.id, android.id]);
    expect(await found({ to: atOf(android) })).toEqual([ios.id]);
    expect(await found({ from: atOf(android), to: atOf(bundle), version: '1.0' })).toEqual([android.id]);
  });

  // red when: the characters of LIKE patterns are not escaped
  it('can be filtered by commit, its beginning and the hash of the file', async () => {
    expect(await found({ commit: COMMIT })).toEqual([ios.id]);
    expect(await found({ commit: '9fceb02' })).toEqual([ios.id]);
    expect(await found({ commit: '9fce' })).toEqual([android.id, ios.id]);
    expect(await found({ commit: '9fce%' })).toEqual([android.id]);
    expect(await found({ commit: 'fceb02d' })).toEqual([]);
    expect(await found({ sha256: ios['sha256'].toUpperCase() })).toEqual([ios.id]);
    expect(await found({ sha256: '0'.repeat(64) })).toEqual([]);
    await ann.get(`/builds?${scope(project)}&sha256=${COMMIT}`).expect(400);
  });

  it('can be filtered by channel', async () => {
    const [beta, empty] = [await ann.createsChannel(project), await ann.createsChannel(project)];
    await ann.promotes(project, beta, ios);
    await ann.promotes(project, beta, android);
    expect(await found({ channel_id: beta.id })).toEqual([android.id, ios.id]);
    expect(await found({ channel_id: beta.id, platform: 'ios' })).toEqual([ios.id]);
    expect(await found({ channel_id: empty.id })).toEqual([]);
    const other = await ann.createsProject({ id: project.organizationId });
    expect((await list({ channel_id: beta.id }, other)).items).toEqual([]);
  });

  describe('the newest build', () => {
    const newest = async (query: Readonly<Record<string, string>>): Promise<string | number> => {
      const { status, body } = await ann.get(
        `/builds/latest?${scope(project)}&${new URLSearchParams(query).toString()}`,
      );
      return status === 200 ? (body as BuildJson).id : status;
    };

    it('can be limited to a platform, version, branch or commit', async () => {
      expect(await newest({})).toBe(bundle.id);
      expect(await newest({ platform: 'ios' })).toBe(ios.id);
      expect(await newest({ version: '1.0' })).toBe(android.id);
      expect(await newest({ version: '1.0', platform: 'ios' })).toBe(ios.id);
      expect(await newest({ branch: 'main' })).toBe(ios.id);
      expect(await newest({ commit: '9fceb02' })).toBe(ios.id);
      expect(await newest({ branch: 'main', platform: 'android' })).toBe(404);
      expect(await newest({ branch: 'mai' })).toBe(404);
    });

    // red when: the newest build that was ever promoted to the channel is returned
    it('of a channel is the build that is current in it', async () => {
      const channel = await ann.createsChannel(project);
      expect(await newest({ channel_id: channel.id })).toBe(404);
      await ann.promotes(project, channel, android);
      await ann.promotes(project, channel, ios);
      expect(await newest({ channel_id: channel.id })).toBe(ios.id);
      expect(await newest({ channel_id: channel.id, platform: 'android' })).toBe(android.id);
      expect(await newest({ channel_id: channel.id, branch: 'release/1' })).toBe(android.id);
      await ann.promotes(project, channel, bundle);
      expect(await newest({ channel_id: channel.id, platform: 'android' })).toBe(bundle.id);
      await ann.promotes(project, channel, android);
      expect(await newest({ channel_id: channel.id, platform: 'android' })).toBe(android.id);
      expect(await newest({ channel_id: channel.id, branch: 'feature' })).toBe(404);
      const other = await ann.createsProject({ id: project.organizationId });
      await ann.get(`/builds/latest?${scope(other)}&channel_id=${channel.id}`).expect(404);
    });
  });

  it('can be filtered by warning and installability', async () => {
    expect(await found({ warning: 'app_bundle' })).toEqual([bundle.id]);
    expect(await found({ installable: 'false' })).toEqual([bundle.id]);
    expect(await found({ installable: 'true' })).toEqual([android.id, ios.id]);
    const first = await list({ installable: 'true', limit: '1' });
    expect(first.items.map(({ id }) => id)).toEqual([android.id]);
    const second = await list({ installable: 'true', limit: '1', cursor: first.next_cursor ?? '' });
    expect([second.items.map(({ id }) => id), second.next_cursor]).toEqual([[ios.id], null]);
  });

  // red when: a page ends before the builds that meet the condition, or a build does not name the warning that blocks it
  it('can be filtered by whether builds have warnings, and each names the one that blocks it', async () => {
    const { items } = await list({});
    const withWarnings = items.filter(({ warnings }) => warnings.length > 0).map(({ id }) => id);
    expect(withWarnings).toContain(bundle.id);
    expect(await found({ has_warnings: 'true' })).toEqual(withWarnings);
    expect(await found({ has_warnings: 'false' })).toEqual(
      items.map(({ id }) => id).filter((id) => !withWarnings.includes(id)),
    );
    expect(await found({ has_warnings: 'true', installable: 'true' })).not.toContain(bundle.id);
    for (const { id, installable, not_installable: reason } of items) {
      expect(installable).toBe(reason === null);
      if (id === bundle.id) expect(reason).toMatchObject({ code: 'app_bundle' });
    }
  });

  it.each([
    'uploaded_by=ann',
    'from=yesterday',
    'to=2026-W01-1T00:00:00Z',
    'installable=yes',
    'has_warnings=2',
    'channel_id=beta',
  ])('rejects %s', async (query) => {
    await ann.get(`/builds?${scope(project)}&${query}`).expect(400);
  });

  it('has facets with the values of its filters, the latest first', async () => {
    expect((await ann.get(`/builds/facets?${scope(project)}`).expect(200)).body).toEqual({
      platforms: [
        { value: 'android', count: 2 },
        { value: 'ios', count: 1 },
      ],
      versions: [
        { value: '1.1', count: 1 },
        { value: '1.0', count: 2 },
      ],
      branches: [
        { value: 'release/1', count: 1 },
        { value: 'main', count: 1 },
      ],
    });
  });

  describe('of many builds', () => {
    let many: ProjectRef;
    let oldest: BuildJson;
    beforeAll(async () => {
      // The clock was advanced by minutes, and a token is valid for ten.
      ann = await Developer.logIn(app.url, ann.email, ann.password);
      many = await ann.createsProject({ id: project.organizationId });
      oldest = await ann.uploads(many, AAB, { version: '0.1' });
      const copied = await ann.uploads(many, APK, { version: '1.0' });
      await app.sql(
        `INSERT INTO build SELECT (jsonb_populate_record(b, jsonb_build_object('blob_key', 'copy-' || n, 'version', '2.' || n,
           'id', 'ffffffff-ffff-7fff-8000-' || lpad(to_hex(n), 12, '0')))).* FROM build b, generate_series(1, $2::int) n WHERE b.id = $1`,
        [copied.id, MANY],
      );
    });

    /** Computes the statistics from all builds. By default they are those of a random sample of 30,000 rows. */
    const analyzeBuilds = (): Promise<unknown> => app.sql('SET default_statistics_target = 1000; ANALYZE build');

    // red when: the search has no limit, or a page that ends before the last build has no cursor
    it('continues the search for a warning on the next page', async () => {
      const first = await list({ warning: 'app_bundle' }, many);
      expect(first.items).toEqual([]);
      const second = await list({ warning: 'app_bundle', cursor: first.next_cursor ?? '' }, many);
      expect([second.items.map(({ id }) => id), second.next_cursor]).toEqual([[oldest.id], null]);
    });

    // red when: a text or an uploader is searched in all builds, or a page that ends before the last build has no cursor
    it.each([
      ['a text', { q: 'OLDEST' }],
      ['an uploader', { uploaded_by: randomUUID() }],
    ])('continues the search for %s on the next page', async (_name, condition) => {
      await app.sql(`UPDATE build SET notes = 'the oldest', uploaded_by_id = $2 WHERE id = $1`, [
        oldest.id,
        'uploaded_by' in condition ? condition.uploaded_by : ann.id,
      ]);
      const first = await list(condition, many);
      expect(first.items).toEqual([]);
      const second = await list({ ...condition, cursor: first.next_cursor ?? '' }, many);
      expect([second.items.map(({ id }) => id), second.next_cursor]).toEqual([[oldest.id], null]);
      // Together with a computed condition.
      const both = await list({ ...condition, warning: 'app_bundle', cursor: first.next_cursor ?? '' }, many);
      expect([both.items.map(({ id }) => id), both.next_cursor]).toEqual([[oldest.id], null]);
    });

    // red when: a statement reads builds in proportion to the project
    it.each<[string, BuildFilter]>([
      ['a text that no build has', { q: 'zzqq' }],
      ['an uploader of no build', { uploadedBy: randomUUID() }],
      ['a day without uploads', { from: new Date('2026-01-01'), to: new Date('2026-01-02') }],
      ['uploads before all others', { to: new Date('2026-01-02') }],
      ['a branch and a text that no build has', { branch: 'main', q: 'zzqq' }],
    ])('reads a bounded number of builds for %s', async (_name, filter) => {
      const request = (tx: RequestContext) =>
        app.nest.get(BuildListRepository).select(tx, scopeOfRef(many), { ...filter, ids: null }, { limit: 100 });
      for (const plan of await plansOf(app, request)) expect(rowsRead(plan)).toBeLessThan(MANY);
    });

    // red when: facets are of all builds
    it('has at most a hundred facets of a kind, of the newest builds', async () => {
      const { body } = await ann.get(`/builds/facets?${scope(many)}`).expect(200);
      const { platforms, versions } = body as Record<string, readonly { value: string; count: number }[]>;
      expect(platforms).toEqual([{ value: 'android', count: 5_000 }]);
      expect(versions).toHaveLength(100);
    });

    // red when: the newest builds are read until enough of them have the version, which most builds of other projects have
    it('reads the builds of an old version alone', async () => {
      const other = await ann.createsProject({ id: project.organizationId });
      await app.sql(
        `UPDATE build SET version = '9.9', branch = 'old' WHERE project_id = $1 AND version LIKE '2.%' AND substr(version, 3)::int < 1700`,
        [many.id],
      );
      await app.sql(
        `INSERT INTO build SELECT (jsonb_populate_record(b, jsonb_build_object('blob_key', 'other-' || n, 'project_id', $2::text,
           'version', '9.9', 'branch', 'old', 'id', 'eeeeeeee-eeee-7eee-8000-' || lpad(to_hex(n), 12, '0')))).*
         FROM build b, generate_series(1, $3::int) n WHERE b.id = $1`,
        [oldest.id, other.id, 2 * MANY],
      );
      await app.sql('CLUSTER build USING pk_build');
      await analyzeBuilds();
      for (const filter of [{ version: '9.9' }, { branch: 'old' }, { version: '9.9', q: '9.9' }]) {
        const request = (tx: RequestContext) =>
          app.nest.get(BuildListRepository).select(tx, scopeOfRef(many), { ...filter, ids: null }, { limit: 100 });
        const [plan] = await plansOf(app, request);
        expect(rowsRead(plan!)).toBeLessThan(1_800);
      }
    });

    // red when: the planner multiplies the frequency of the project by that of its organization, and sorts all builds of the project
    it('compares an upload with few of the builds of a large project', async () => {
      const other = await ann.createsProject(await ann.createsOrganization());
      await app.sql(
        `INSERT INTO build SELECT (jsonb_populate_record(b, jsonb_build_object('blob_key', 'elsewhere-' || n, 'project_id', $2::text,
           'organization_id', $3::text, 'id', 'dddddddd-dddd-7ddd-8000-' || lpad(to_hex(n), 12, '0')))).*
         FROM build b, generate_series(1, $4::int) n WHERE b.id = $1`,
        [oldest.id, other.id, other.organizationId, 8 * MANY],
      );
      await analyzeBuilds();
      const upload = { platform: 'android', sha256: Buffer.alloc(32), bundleId: 'com.example.unknown' } as const;
      const [plan] = await plansOf(app, (tx) =>
        app.nest.get(BuildsRepository).findPredecessors(tx, scopeOfRef(many), upload),
      );
      expect(rowsRead(plan!)).toBeLessThan(600);
    });
  });
});
