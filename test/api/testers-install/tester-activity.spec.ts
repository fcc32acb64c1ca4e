import { randomUUID } from 'node:crypto';
import { type BuildJson, type Developer, randomEmail, scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';

interface LastDownloadJson {
  readonly build_id: string;
  readonly version: string;
  readonly build_number: string | null;
  readonly platform: string;
  readonly device_family: string;
  readonly at: string;
}

interface TesterJson {
  readonly id: string;
  readonly email: string;
  readonly state: string | null;
  readonly invited_at: string | null;
  readonly opened_at: string | null;
  readonly last_download: LastDownloadJson | null;
}

interface PageJson<T> {
  readonly items: T[];
  readonly next_cursor: string | null;
}

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1';
const TESTERS = 7;

describe('the activity of testers', () => {
  let app: TestApp;
  let tenant: Tenant;
  let ann: Developer;
  let query: string;

  beforeAll(async () => {
    app = await TestApp.start();
    tenant = await createTenant(app);
    ann = tenant.admin;
    query = scope(tenant.project);
  });
  afterAll(() => app.stop());

  const adds = async (): Promise<TesterJson> =>
    (await ann.post(`/testers?${query}`, { email: randomEmail(), name: 'Tess' }).expect(201)).body as TesterJson;
  const get = async ({ id }: TesterJson): Promise<TesterJson> =>
    (await ann.get(`/testers/${id}?${query}`).expect(200)).body as TesterJson;
  const subscribes = ({ id }: TesterJson) =>
    ann.request('put', `/testers/${id}/subscriptions/${tenant.channel.id}?${query}`).expect(200);
  const invites = async ({ id, email }: TesterJson): Promise<string> => {
    await ann.post(`/testers/${id}/invite?${query}&channel_id=${tenant.channel.id}`).expect(204);
    return (await app.mailbox.link(email)).pathname.split('/').at(-1)!;
  };
  const opens = (token: string) => app.anonymous.get(`/install/${token}`).set('Accept', 'text/html').expect(200);
  const installs = async (token: string, build: Pick<BuildJson, 'id'>): Promise<void> => {
    const headers = { 'User-Agent': IPHONE };
    const page = `${app.url}/install/${token}/builds/${build.id}`;
    const manifest = await (await fetch(`${page}/manifest.plist`, { headers })).text();
    const path = new URL(/<string>(http[^<]*\.ipa)<\/string>/.exec(manifest)![1]!).pathname;
    await (await fetch(app.url + path, { headers })).arrayBuffer();
  };
  const uploads = (version: string): Promise<BuildJson> =>
    ann.uploads(tenant.project, {
      bytes: ipa({ info: { CFBundleShortVersionString: version, CFBundleVersion: '10' } }),
      fileName: 'Demo.ipa',
    });
  const list = async (more: string): Promise<PageJson<TesterJson>> =>
    (await ann.get(`/testers?${query}${more}`).expect(200)).body as PageJson<TesterJson>;

  // red when: one of the facts of the state is not read
  it('goes from added to left, with the times and the last download', async () => {
    const tess = await adds();
    expect(tess).toMatchObject({ state: 'added', invited_at: null, opened_at: null, last_download: null });
    await subscribes(tess);
    const token = await invites(tess);
    const invited = await get(tess);
    expect(invited).toMatchObject({ state: 'invited', invited_at: expect.stringMatching(/Z$/), opened_at: null });
    await opens(token);
    const opened = await get(tess);
    expect(opened).toMatchObject({ state: 'opened', invited_at: invited.invited_at });
    expect(opened.opened_at).not.toBeNull();
    await installs(token, tenant.build);
    const current = await get(tess);
    expect(current).toMatchObject({
      state: 'has_current',
      last_download: {
        build_id: tenant.build.id,
        version: tenant.build.version,
        build_number: tenant.build.build_number,
        platform: 'ios',
        device_family: 'iphone',
        at: expect.stringMatching(/Z$/),
      },
    });
    const next = await uploads('9.9.1');
    await ann.promotes(tenant.project, tenant.channel, next);
    expect(await get(tess)).toMatchObject({ state: 'behind', last_download: { build_id: tenant.build.id } });
    await installs(token, next);
    expect(await get(tess)).toMatchObject({ state: 'has_current', last_download: { build_id: next.id } });
    await ann.promotes(tenant.project, tenant.channel, tenant.build);
    // They have a newer build than the one that is current again.
    expect(await get(tess)).toMatchObject({ state: 'has_current' });
    await app.anonymous.post(`/install/${token}/decline`).set('Accept', 'application/json').expect(204);
    expect(await get(tess)).toMatchObject({ state: 'left', last_download: { build_id: next.id } });
  });

  // red when: /latest records an opening for every request
  it('stays invited after HEAD requests and link previews of the page and of /latest', async () => {
    const tess = await adds();
    await subscribes(tess);
    const token = await invites(tess);
    const bot = { 'User-Agent': 'Slackbot-LinkExpanding 1.0' };
    for (const path of [token, `${token}/latest/ios`, `${token}/latest/ios/package`]) {
      for (const [method, headers] of [['HEAD', {}] as const, ['GET', bot] as const]) {
        const { status } = await fetch(`${app.url}/install/${path}`, { method, headers, redirect: 'manual' });
        expect([method, status]).toEqual([method, path === token ? 200 : 302]);
        expect([method, path, await get(tess)]).toEqual([method, path, expect.objectContaining({ state: 'invited' })]);
      }
    }
    await fetch(`${app.url}/install/${token}/latest/ios`, { headers: { 'User-Agent': IPHONE }, redirect: 'manual' });
    expect(await get(tess)).toMatchObject({ state: 'opened' });
  });

  // red when: a suppression of one channel counts although the tester is still subscribed to another
  it('is left after unsubscribing from the last channel, and returns with a subscription', async () => {
    const tess = await adds();
    await subscribes(tess);
    const token = await invites(tess);
    await app.anonymous.post(`/install/${token}/unsubscribe`).set('Accept', 'application/json').expect(204);
    expect(await get(tess)).toMatchObject({ state: 'left' });
    const other = await ann.createsChannel(tenant.project, randomUUID());
    await ann.request('put', `/testers/${tess.id}/subscriptions/${other.id}?${query}`).expect(200);
    expect((await get(tess)).state).not.toBe('left');
  });

  it('is has_current after a download when no channel of the tester has a current release', async () => {
    const tess = await adds();
    await ann.post(`/testers/${tess.id}/invite?${query}`, { build_id: tenant.build.id }).expect(204);
    const token = (await app.mailbox.link(tess.email)).pathname.split('/').at(-1)!;
    await installs(token, tenant.build);
    expect(await get(tess)).toMatchObject({ state: 'has_current', last_download: { build_id: tenant.build.id } });
  });

  it('is null for callers without MANAGE_TESTERS, who cannot filter by it', async () => {
    const tess = await adds();
    await invites(tess);
    const viewer = app.ci(await ann.createsToken(tenant.project, 'UPLOAD_BUILD'));
    const unknown = { state: null, invited_at: null, opened_at: null, last_download: null };
    expect((await viewer.get(`/testers/${tess.id}?${query}`).expect(200)).body).toMatchObject(unknown);
    const { items } = (await viewer.get(`/testers?${query}`).expect(200)).body as PageJson<TesterJson>;
    for (const item of items) expect(item).toMatchObject(unknown);
    for (const filter of ['state=behind', 'behind=true', 'behind=false'])
      expect((await viewer.get(`/testers?${query}&${filter}`).expect(403)).body).toMatchObject({
        error: 'insufficient_role',
        details: { required_role: 'MANAGE_TESTERS' },
      });
    await viewer.get(`/testers/${tess.id}/downloads?${query}`).expect(403);
    const manager = app.ci(await ann.createsToken(tenant.project, 'MANAGE_TESTERS'));
    expect((await manager.get(`/testers/${tess.id}?${query}`).expect(200)).body).toMatchObject({ state: 'invited' });
  });

  describe('as a filter', () => {
    // red when: the precondition of a state excludes rows that have the state
    it('lists exactly the testers in each state', async () => {
      const states = ['added', 'invited', 'opened', 'has_current', 'behind', 'left', 'bounced'];
      const { items } = await list('&limit=1000');
      for (const state of states) {
        const filtered = (await list(`&state=${state}`)).items;
        expect([state, filtered.map(({ id }) => id)]).toEqual([
          state,
          items.filter((tester) => tester.state === state).map(({ id }) => id),
        ]);
      }
      const behind = (await list('&behind=true')).items.map(({ id }) => id);
      const others = (await list('&behind=false')).items.map(({ id }) => id);
      expect([...behind, ...others].sort()).toEqual(items.map(({ id }) => id).sort());
      expect(behind).toEqual((await list('&state=behind')).items.map(({ id }) => id));
      expect((await list('&state=&behind=')).items).toEqual(items);
      await ann.get(`/testers?${query}&state=here`).expect(400);
    });

    it('continues after a cursor', async () => {
      const added = [];
      for (let count = 0; count < TESTERS; count++) added.push((await adds()).id);
      const first = await list('&state=added&limit=4');
      const second = await list(`&state=added&limit=100&cursor=${first.next_cursor}`);
      expect([...first.items, ...second.items].map(({ id }) => id).slice(0, TESTERS)).toEqual(added.reverse());
    });
  });

  // red when: the job does not fill rows of earlier releases
  it('is complete for rows of earlier releases after the job', async () => {
    const tess = await adds();
    await subscribes(tess);
    const token = await invites(tess);
    await app.anonymous.post(`/install/${token}/decline`).set('Accept', 'application/json').expect(204);
    await app.sql('UPDATE tester SET address_digest = NULL, invited_at = NULL WHERE id = $1', [tess.id]);
    expect(await get(tess)).toMatchObject({ state: 'opened', invited_at: null });
    await app.runsJob('testers.fill-activity');
    expect(await get(tess)).toMatchObject({ state: 'left', invited_at: expect.stringMatching(/Z$/) });
  });

  describe('in the download log', () => {
    it('names the tester, without name and address after the erasure, and none for anonymous downloads', async () => {
      const tess = await adds();
      const build = await uploads('9.9.2');
      await ann.post(`/testers/${tess.id}/invite?${query}`, { build_id: build.id }).expect(204);
      await installs((await app.mailbox.link(tess.email)).pathname.split('/').at(-1)!, build);
      await installs(new URL(build.install_url).pathname.split('/').at(-1)!, build);
      const log = async () =>
        (
          (await ann.get(`/builds/${build.id}/downloads?${query}`).expect(200)).body as PageJson<{ tester: unknown }>
        ).items.map(({ tester }) => tester);
      expect(await log()).toEqual([null, { id: tess.id, name: 'Tess', email: tess.email }]);
      const csv = (await ann.get(`/builds/${build.id}/downloads.csv?${query}`).expect(200)).text;
      expect(csv).toContain(tess.email);
      await ann.delete(`/testers/${tess.id}?${query}`).expect(204);
      expect(await log()).toEqual([null, { id: tess.id, name: null, email: null }]);
    });

    it('is listed for one tester, newest first, page by page', async () => {
      const tess = await adds();
      const [first, second] = [await uploads('9.9.3'), await uploads('9.9.4')];
      for (const [index, build] of [first, second].entries()) {
        await ann.post(`/testers/${tess.id}/invite?${query}`, { build_id: build.id }).expect(204);
        await installs((await app.mailbox.link(tess.email, index + 1)).pathname.split('/').at(-1)!, build);
      }
      const path = `/testers/${tess.id}/downloads?${query}`;
      const all = (await ann.get(path).expect(200)).body as PageJson<{ build_id: string }>;
      expect(all.items).toMatchObject([
        { build_id: second.id, version: '9.9.4', build_number: '10', platform: 'ios', device_family: 'iphone' },
        { build_id: first.id, version: '9.9.3', channel_id: null },
      ]);
      const page = (await ann.get(`${path}&limit=1`).expect(200)).body as typeof all;
      const rest = (await ann.get(`${path}&limit=1&cursor=${page.next_cursor}`).expect(200)).body as typeof all;
      const ids = [...page.items, ...rest.items].map(({ build_id: id }) => id);
      expect(ids).toEqual(all.items.map(({ build_id: id }) => id));
      await ann.get(`/testers/${randomUUID()}/downloads?${query}`).expect(404);
    });
  });
});
