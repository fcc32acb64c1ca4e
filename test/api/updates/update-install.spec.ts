import { Client } from 'pg';
import { parse } from 'plist';
import { type BuildJson, type ChannelJson, type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { apk, ipa } from '../../support/artifacts/valid-artifacts';
import { until } from '../../support/until';

interface KeyJson {
  readonly id: string;
  readonly key: string;
}

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1';
const MAC = { platform: 'macos' };
const WAITING = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

/** An update check names this page, so every user of the app can open it. */
describe('the install page of an update key', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let channel: ChannelJson;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  beforeEach(async () => {
    // A new login, because tests move the clock beyond the end of a session.
    ann = await verifiedDeveloper(app);
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization);
    channel = await ann.createsChannel(project);
  });
  afterAll(() => app.stop());

  const createsKey = async (platform: string): Promise<KeyJson> =>
    (await ann.post(`/update-keys?${scope(project)}&channel_id=${channel.id}`, { platform }).expect(201))
      .body as KeyJson;
  const promotes = async (build: BuildJson, notes = 'Try it'): Promise<BuildJson> => {
    await ann.promotes(project, channel, build, notes);
    return build;
  };
  const promotesIpa = async (version: string): Promise<BuildJson> => {
    const info = { CFBundleShortVersionString: version, CFBundleVersion: version };
    return promotes(await ann.uploads(project, { bytes: ipa({ info }), fileName: 'Demo.ipa' }));
  };
  const installUrl = async (key: string): Promise<string> => {
    const { body } = await app.anonymous.get(`/updates/${key}?version=0`).expect(200);
    return new URL((body as { install_url: string }).install_url).pathname;
  };
  const open = (path: string) => app.anonymous.get(path).set('User-Agent', IPHONE).set('Accept', 'text/html');
  const reservations = () => app.sql(`SELECT count(*)::int AS count FROM reservation WHERE kind = 'download'`);
  const deletesChannel = async (): Promise<void> => {
    for (const table of ['current_release', 'release'])
      await app.sql(`DELETE FROM ${table} WHERE channel_id = $1`, [channel.id]);
    await ann.delete(`/channels/${channel.id}?${scope(project)}`).expect(204);
  };
  const endings = (): [string, (id: string) => PromiseLike<unknown>][] => [
    ['rotated', (id) => ann.post(`/update-keys/${id}/rotate?${scope(project)}`, {}).expect(200)],
    ['revoked', (id) => ann.delete(`/update-keys/${id}?${scope(project)}`).expect(204)],
    ['deleted with its channel', () => deletesChannel()],
  ];
  const tokenOf = (url: string): string => url.split('/install/')[1]!;

  // red when: install_url is the install link of the build
  it('ends with the key, and shows only the build that is current', async () => {
    const { id, key } = await createsKey('ios');
    await promotesIpa('1.0');
    const first = await installUrl(key);
    expect((await open(first).expect(200)).text).toContain('1.0');
    await promotesIpa('2.0');
    expect(await installUrl(key)).toBe(first);
    const { text } = await open(first).expect(200);
    expect(text).toContain('Version 2.0');
    expect(text).not.toContain('Version 1.0');
    const paths = ['', '/manifest.plist', '/package.ipa', '/qr.svg'].map((file) => `${first}${file}`);
    for (const path of paths) expect((await app.anonymous.get(path)).status).toBeLessThan(400);
    await ann.delete(`/update-keys/${id}?${scope(project)}`).expect(204);
    for (const path of paths) await app.anonymous.get(path).expect(404);
    expect((await open(first).expect(404)).headers['content-type']).toContain('text/html');
  });

  it('installs over the air on iOS, with one ticket for manifest and package', async () => {
    const { key } = await createsKey('ios');
    const build = await promotesIpa('1.0');
    const page = await installUrl(key);
    const { text } = await open(page).expect(200);
    expect(text).toContain(encodeURIComponent(`${page}/manifest.plist`));
    expect(text).toContain('Try it');
    const before = await reservations();
    await app.anonymous.head(`${page}/manifest.plist`).expect(200);
    const { headers } = await app.anonymous.head(`${page}/package.ipa`).expect(200);
    expect(headers['content-length']).toBe(String(build.size_bytes));
    await app.anonymous.get(`${page}/package.apk`).expect(404);
    expect(await reservations()).toEqual(before);
    const manifest = await app.anonymous.get(`${page}/manifest.plist`).expect(200);
    const { items } = parse(manifest.text) as unknown as { items: { assets: { url: string }[] }[] };
    const redirect = await app.anonymous.get(`${page}/package.ipa`).expect(302);
    expect(items[0]!.assets[0]!.url).toBe(redirect.headers['location']);
    const file = await app.anonymous.get(new URL(redirect.headers['location']!).pathname).expect(200);
    expect((file.body as Buffer).length).toBe(build.size_bytes);
  });

  // red when: rotating or deleting a key, or deleting its channel, leaves the download URLs that it minted
  it.each(endings())('ends its download URLs when the key is %s', async (_name, end) => {
    const { id, key } = await createsKey('ios');
    const build = await promotesIpa('1.0');
    const { headers } = await app.anonymous.get(`/updates/${key}/install/package.ipa`).expect(302);
    const path = new URL(headers['location']!).pathname;
    expect(((await app.anonymous.get(path).expect(200)).body as Buffer).length).toBe(build.size_bytes);
    await end(id);
    await app.anonymous.get(path).expect(404);
    await app.anonymous.get(path).set('Range', 'bytes=0-0').expect(404);
    await app.anonymous.head(path).expect(404);
  });

  // red when: minting does not lock the value of the key that it was opened with, or a ticket outlives it
  it.each(endings())(
    'mints no download URL that survives the end of its key at the same time: %s',
    async (_name, end) => {
      const { id, key } = await createsKey('ios');
      await promotesIpa('1.0');
      const mints = Array.from({ length: 12 }, () => app.anonymous.get(`/updates/${key}/install/package.ipa`));
      const minting = Promise.all(mints);
      await end(id);
      for (const { status, headers } of await minting) {
        expect([302, 404]).toContain(status);
        if (status === 302) await app.anonymous.get(new URL(headers['location']!).pathname).expect(404);
      }
    },
  );

  // red when: the tickets of a key are deleted before the key
  it.each(endings())('ends a download URL that is minted while the key is %s', async (_name, end) => {
    const { id, key } = await createsKey('ios');
    await promotesIpa('1.0');
    const { headers } = await app.anonymous.get(`/updates/${key}/install/package.ipa`).expect(302);
    const path = new URL(headers['location']!).pathname;
    await app.sql('UPDATE download_ticket SET minted_by_id = gen_random_uuid() WHERE minted_by_id = $1', [id]);
    const minting = new Client({ connectionString: app.database.ownerUrl });
    await minting.connect();
    try {
      await minting.query('BEGIN');
      await minting.query('SELECT FROM update_key WHERE id = $1 FOR KEY SHARE', [id]);
      await minting.query('UPDATE download_ticket SET minted_by_id = $1 WHERE project_id = $2', [id, project.id]);
      const ended = Promise.resolve(end(id));
      await until(async () => (await app.sql(WAITING)).length > 0);
      await minting.query('COMMIT');
      await ended;
    } finally {
      await minting.end();
    }
    await app.anonymous.get(path).expect(404);
  });

  // red when: a ticket that is deleted while it is extended is expected to be there, which is a 500
  it('is 404 when its key is rotated while the ticket of its client is extended', async () => {
    const { id, key } = await createsKey('ios');
    await promotesIpa('1.0');
    const path = `/updates/${key}/install/package.ipa`;
    await app.anonymous.get(path).expect(302);
    await app.clock.advance({ minutes: 20 });
    const client = new Client({ connectionString: app.database.ownerUrl });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query(`UPDATE update_key SET digest = '\\x00' WHERE id = $1`, [id]);
      await client.query('DELETE FROM download_ticket WHERE minted_by_id = $1', [id]);
      const extending = app.anonymous.get(path).then(({ status }) => status);
      await until(async () => (await app.sql(WAITING)).length > 0);
      await client.query('COMMIT');
      expect(await extending).toBe(404);
    } finally {
      await client.end();
    }
  });

  // red when: a ticket is extended without end, and outlives the week of its reservation
  it('extends the download URL of its client for a day', async () => {
    const { id, key } = await createsKey('ios');
    await promotesIpa('1.0');
    const pathAfter = async (minutes: number): Promise<string> => {
      await app.clock.advance({ minutes });
      const { headers } = await app.anonymous.get(`/updates/${key}/install/package.ipa`).expect(302);
      return new URL(headers['location']!).pathname;
    };
    const first = await pathAfter(0);
    expect(await pathAfter(20)).toBe(first);
    await app.sql(`UPDATE download_ticket SET created_at = created_at - interval '1 day' WHERE minted_by_id = $1`, [
      id,
    ]);
    const next = await pathAfter(20);
    expect(next).not.toBe(first);
    await app.anonymous.get(next).expect(200);
  });

  it('is 404 before the first promotion', async () => {
    const { key } = await createsKey('ios');
    await open(`/updates/${key}/install`).expect(404);
    await open('/updates/ag_upd_x/install').expect(404);
  });

  // red when: any response that an update key opens contains the install link of a build, of a channel or of a tester
  it('and all checks and feeds contain no install link', async () => {
    const builds = [
      await promotesIpa('1.0'),
      await promotes(await ann.uploads(project, { bytes: apk(), fileName: 'Demo.apk' })),
      await promotes(
        await ann.uploads(project, { bytes: Buffer.from('x'), fileName: 'Demo.zip' }, { ...MAC, version: '1.0' }),
      ),
    ];
    const signature = { signature: 'AA==' };
    await ann
      .request('put', `/builds/${builds[2]!.id}/update-signature?${scope(project)}`)
      .send(signature)
      .expect(200);
    const links = [...builds.map(({ install_url }) => install_url), channel.install_url].map(tokenOf);
    const [ios, android, macos] = await Promise.all(['ios', 'android', 'macos'].map(createsKey));
    const sdk = 'appcenter/v0.1/public/sdk/apps/x';
    const paths = [
      ...[ios, android, macos].flatMap((of) => [`${of!.key}?version=0`, `${of!.key}/install`]),
      `${ios!.key}/${sdk}/releases/latest`,
      `${android!.key}/${sdk}/releases/latest`,
      `${ios!.key}/${sdk}/distribution_groups/x/releases/latest`,
      `${ios!.key}/install/manifest.plist`,
      ...['appcast.xml', 'latest-mac.yml', 'squirrel?version=0', 'tauri/darwin/aarch64/0.1.0'].map(
        (feed) => `${macos!.key}/${feed}`,
      ),
    ];
    for (const path of paths) {
      const { text } = await app.anonymous.get(`/updates/${path}`).expect(200);
      expect(links.filter((token) => text.includes(token))).toEqual([]);
    }
  });
});
