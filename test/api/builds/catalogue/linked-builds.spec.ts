import { randomBytes } from 'node:crypto';
import { parse } from 'plist';
import { DataSource } from 'typeorm';
import {
  Bearer,
  type BuildJson,
  type ChannelJson,
  type Developer,
  type ProjectRef,
  randomEmail,
  scope,
} from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';
import { png } from '../../../support/artifacts/png-writer';
import { apk, ipa } from '../../../support/artifacts/valid-artifacts';
import { rawRequest, type RawResponse } from '../../../support/load/raw-http';

const HTML = {
  Accept: 'text/html',
  'User-Agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Safari/604.1',
};
const JSON_CLIENT = { Accept: 'application/json' };

/** Which builds the install links of channels and testers reach. */
describe('install links of channels and testers', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let beta: ChannelJson;
  let nightly: ChannelJson;
  let first: BuildJson;
  let second: BuildJson;
  let android: BuildJson;
  let unreleased: BuildJson;
  let foreign: BuildJson;

  beforeAll(async () => {
    app = await TestApp.start({ environment: { TRIAL_CREDIT_MICRO_USD: '500000000' } });
    ann = await app.developer();
    project = await richProject();
    [beta, nightly] = [await ann.createsChannel(project, 'Beta'), await ann.createsChannel(project, 'Nightly')];
    first = await uploads(ipa({ icon: png() }), 'First.ipa', { notes: 'First notes' });
    second = await uploads(ipa({ icon: png(), info: { CFBundleVersion: '2' } }), 'Second.ipa');
    android = await uploads(apk(), 'Demo.apk');
    unreleased = await uploads(ipa({ info: { CFBundleVersion: '9' } }), 'Unreleased.ipa');
    for (const build of [first, android, second]) await ann.promotes(project, beta, build, `In Beta: ${build.id}`);
    const elsewhere = await richProject();
    foreign = await uploads(ipa(), 'Foreign.ipa', {}, elsewhere);
    await ann.promotes(elsewhere, await ann.createsChannel(elsewhere), foreign);
  });
  afterAll(() => app.stop());

  const richProject = async (): Promise<ProjectRef> => {
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    return ann.createsProject(organization);
  };
  const uploads = (bytes: Buffer, fileName: string, fields = {}, to = project): Promise<BuildJson> =>
    ann.uploads(to, { bytes, fileName }, fields);
  const pathOf = ({ install_url }: { install_url: string }): string => new URL(install_url).pathname;
  const open = (path: string, headers: Readonly<Record<string, string>> = HTML, method = 'GET'): Promise<RawResponse> =>
    rawRequest(app.url + path, { method, headers });
  const rowsOf = ({ text }: RawResponse): string[] =>
    [...text.matchAll(/\/builds\/([0-9a-f-]{36})" rel/g)].map(([, id = '']) => id);
  const leadOf = ({ text }: RawResponse): string | undefined => /url=[^"]*builds%2F([0-9a-f-]{36})%2F/.exec(text)?.[1];

  /** A tester and the path of the link in their mail. */
  const invited = async (target: { build?: BuildJson; channel?: ChannelJson } = {}) => {
    const email = randomEmail();
    const { body } = await ann.post(`/testers?${scope(project)}`, { email, name: 'Tess' }).expect(201);
    const { id } = body as { id: string };
    return { id, email, path: await mails(id, email, target) };
  };
  const mails = async (id: string, email: string, { build, channel }: { build?: BuildJson; channel?: ChannelJson }) => {
    const query = `${scope(project)}${channel ? `&channel_id=${channel.id}` : ''}`;
    const before = await app.mailbox.all(email);
    await ann.post(`/testers/${id}/invite?${query}`, build ? { build_id: build.id } : {}).expect(204);
    const { text } = await app.mailbox.latest(email, before.length + 1);
    return /\/install\/[\w-]{43}/.exec(text ?? '')![0];
  };

  /** Every path of one build below a link. */
  const addressesOf = (link: string, build: BuildJson): string[] => {
    const file = build.platform === 'ios' ? 'package.ipa' : 'package.apk';
    return ['', '/icon.png', '/qr.svg', '/manifest.plist', `/${file}`].map((end) => `${link}/builds/${build.id}${end}`);
  };

  it('show the channel’s current build of the device first, then the other builds', async () => {
    const page = await open(pathOf(beta));
    expect([page.status, leadOf(page)]).toEqual([200, second.id]);
    expect(page.text).toContain(`In Beta: ${second.id}`);
    expect(page.text).toContain('Beta');
    expect(rowsOf(page)).toEqual([android.id, first.id]);
  });

  it('serve page, manifest, icon and package of each build of the channel', async () => {
    const link = pathOf(beta);
    for (const build of [first, second]) {
      const answers = await Promise.all(addressesOf(link, build).map((path) => open(path)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 302]);
      const manifest = parse(answers[3]!.text) as unknown as { items: { assets: { kind: string; url: string }[] }[] };
      const assets = Object.fromEntries(manifest.items[0]!.assets.map(({ kind, url }) => [kind, url]));
      expect(assets['display-image']).toBe(`http://localhost:3000${link}/builds/${build.id}/icon.png`);
      expect((await open(new URL(assets['software-package']!).pathname, {})).status).toBe(200);
    }
    expect((await open(`${link}/builds/${android.id}/package.apk`, {}, 'HEAD')).status).toBe(200);
  });

  // red when: `findBuild` filters by project only, or not at all
  it('do not reach builds of another channel, tester, project or organization', async () => {
    const { path: tester } = await invited({ build: first });
    for (const [link, builds] of [
      [pathOf(beta), [unreleased, foreign]],
      [pathOf(nightly), [first, android, foreign]],
      [pathOf(first), [second, foreign]],
      [tester, [second, android, unreleased, foreign]],
    ] as const) {
      for (const path of builds.flatMap((build) => addressesOf(link, build))) {
        expect([path, (await open(path, JSON_CLIENT)).status]).toEqual([path, 404]);
        expect([path, (await open(path, JSON_CLIENT, 'HEAD')).status]).toEqual([path, 404]);
      }
    }
    expect(await app.sql('SELECT FROM download_ticket WHERE build_id = $1', [foreign.id])).toEqual([]);
  });

  it('open the build or channel that a tester’s link names', async () => {
    const { path } = await invited({ build: unreleased });
    const page = await open(path);
    expect(page.text).toContain(encodeURIComponent(`${path}/manifest.plist`));
    expect(page.text).toContain(`action="${path}/decline"`);
    expect((await open((await invited({ channel: beta })).path)).text).toContain(`${second.id}%2Fmanifest.plist`);
  });

  it('open, by a tester’s link without a target, the builds of their invitations and channels', async () => {
    const tester = await invited({ build: unreleased });
    const everything = await mails(tester.id, tester.email, {});
    expect(leadOf(await open(everything))).toBe(unreleased.id);
    expect((await open(`${everything}/builds/${second.id}`, JSON_CLIENT)).status).toBe(404);
    const subscription = `/testers/${tester.id}/subscriptions/${beta.id}?${scope(project)}`;
    await ann.request('put', subscription).expect(200);
    const page = await open(everything);
    expect([leadOf(page), ...rowsOf(page)].sort()).toEqual([unreleased.id, second.id, android.id].sort());
    expect(page.text).toContain('Beta');
    await ann.delete(subscription).expect(204);
    expect((await open(`${everything}/builds/${second.id}`, JSON_CLIENT)).status).toBe(404);
  });

  it('say that a channel without releases has nothing to install', async () => {
    const page = await open(pathOf(nightly));
    expect([page.status, page.text.includes('Nothing to install yet')]).toEqual([200, true]);
  });

  it('redirect /latest/{platform} to the newest build of the platform', async () => {
    const link = pathOf(beta);
    const leadsTo = async (path: string): Promise<string | undefined> =>
      (await open(`${link}/latest/${path}`, {})).headers['location'];
    expect(await leadsTo('ios')).toBe(`http://localhost:3000${link}/builds/${second.id}`);
    expect(await leadsTo('android/package')).toBe(`http://localhost:3000${link}/builds/${android.id}/package.apk`);
    for (const path of ['windows', 'constructor', 'IOS']) {
      expect((await open(`${link}/latest/${path}`, JSON_CLIENT)).status).toBe(404);
    }
    expect((await open(`${pathOf(first)}/latest/ios`, {})).headers['location']).toContain(first.id);
  });

  it('record tester and channel in the download log', async () => {
    const build = await uploads(apk(), `${randomBytes(4).toString('hex')}.apk`);
    await ann.promotes(project, nightly, build);
    const tester = await invited({ channel: nightly });
    const { headers } = await open(`${tester.path}/builds/${build.id}/package.apk`, {});
    await open(new URL(headers['location']!).pathname, { 'User-Agent': 'Mozilla/5.0 (Linux; Android 14)' });
    const log = await ann.get(`/builds/${build.id}/downloads?${scope(project)}`).expect(200);
    // Without `completed_at`, which is recorded after the response.
    const logged = [
      expect.objectContaining({ tester_id: tester.id, channel_id: nightly.id, device_family: 'android' }),
    ];
    expect((log.body as { items: unknown[] }).items).toEqual(logged);
    const { body } = await ann.get(`/builds/${build.id}?${scope(project)}`).expect(200);
    expect(body).toMatchObject({ downloads: { total: 1, unique_testers: 1 } });
    await ann.delete(`/testers/${tester.id}?${scope(project)}`).expect(204);
    // The erasure leaves the id, which then refers to no row.
    const after = await ann.get(`/builds/${build.id}/downloads?${scope(project)}`).expect(200);
    expect((after.body as { items: unknown[] }).items).toEqual(logged);
  });

  // red when: tickets outlive the link that minted them
  it.each(['a tester who is erased', 'a channel that is deleted', 'a build that is deleted'])(
    'stop working with their tickets for %s',
    async (what) => {
      const channel = await ann.createsChannel(project);
      const build = await uploads(apk(), `${randomBytes(4).toString('hex')}.apk`);
      const release = await ann.promotes(project, channel, build);
      const tester = await invited({ channel });
      const link = what.includes('channel') ? pathOf(channel) : tester.path;
      const { headers } = await open(`${link}/builds/${build.id}/package.apk`, {});
      const ticket = new URL(headers['location']!).pathname;
      expect((await open(ticket, {}, 'HEAD')).status).toBe(200);
      const inChannel = `${scope(project)}&channel_id=${channel.id}`;
      if (what.includes('tester')) await ann.delete(`/testers/${tester.id}?${scope(project)}`).expect(204);
      else {
        await ann.delete(`/releases/${release.id}?${inChannel}`).expect(204);
        await ann.delete(`/testers/${tester.id}/subscriptions/${channel.id}?${scope(project)}`);
        const id = what.includes('channel') ? `channels/${channel.id}` : `builds/${build.id}`;
        await ann.delete(`/${id}?${scope(project)}&permanently=true`).expect(204);
      }
      expect((await open(ticket, {}, 'HEAD')).status).toBe(404);
      expect((await open(`${link}/builds/${build.id}`, JSON_CLIENT)).status).toBe(404);
      if (!what.includes('build')) expect((await open(link, JSON_CLIENT)).status).toBe(404);
    },
  );

  // red when: the old link stays, its tickets outlive it, or the links of testers are deleted too
  it('stop working with their tickets after a rotation, while the new link and testers’ links work', async () => {
    const channel = await ann.createsChannel(project);
    await ann.promotes(project, channel, android);
    const tester = await invited({ channel });
    const [ticket, testersTicket] = await Promise.all(
      [pathOf(channel), tester.path].map(async (link) => {
        const { headers } = await open(`${link}/builds/${android.id}/package.apk`, {});
        return new URL(headers['location']!).pathname;
      }),
    );
    expect((await open(ticket!, {}, 'HEAD')).status).toBe(200);
    const { body } = await ann.post(`/channels/${channel.id}/rotate-link?${scope(project)}`).expect(200);
    for (const dead of [pathOf(channel), `${pathOf(channel)}/latest/android`, ticket!])
      expect([dead, (await open(dead, JSON_CLIENT)).status]).toEqual([dead, 404]);
    for (const link of [pathOf(body as ChannelJson), tester.path, `${tester.path}/builds/${android.id}`])
      expect([link, (await open(link)).status]).toEqual([link, 200]);
    expect((await open(testersTicket!, {}, 'HEAD')).status).toBe(200);
  });

  // red when: a process shows the link that it remembers from before the rotation
  it('of a build stop working with their tickets after a rotation, and every process shows the new link', async () => {
    const build = await uploads(apk(), `${randomBytes(4).toString('hex')}.apk`);
    const tester = await invited({ build });
    const reader = await TestApp.start({ beside: app, worker: false });
    const shown = async (from: TestApp): Promise<unknown> => {
      const client = new Bearer(from.url, ann.token);
      const { body } = await client.get(`/builds/${build.id}?${scope(project)}`).expect(200);
      return (body as BuildJson).install_url;
    };
    try {
      expect([await shown(app), await shown(reader)]).toEqual([build.install_url, build.install_url]);
      const { headers } = await open(`${pathOf(build)}/package.apk`, {});
      const ticket = new URL(headers['location']!).pathname;
      const rotations = await Promise.all(
        Array.from({ length: 4 }, () => ann.post(`/builds/${build.id}/rotate-link?${scope(project)}`).expect(200)),
      );
      const links = rotations.map(({ body }) => (body as BuildJson).install_url);
      expect(new Set([build.install_url, ...links]).size).toBe(5);
      const current = await shown(app);
      expect(links).toContain(current);
      expect(await shown(reader)).toBe(current);
      for (const link of [build.install_url, ...links]) {
        const expected = link === current ? 200 : 404;
        expect([link, (await open(new URL(link).pathname, JSON_CLIENT)).status]).toEqual([link, expected]);
      }
      expect((await open(ticket, {}, 'HEAD')).status).toBe(404);
      expect((await open(tester.path)).status).toBe(200);
      const events = await app.sql(`SELECT payload FROM audit_event WHERE type = 'build.link_rotated'`);
      expect(events).toEqual(Array(4).fill({ payload: { build_id: build.id } }));
      await ann.post(`/builds/${foreign.id}/rotate-link?${scope(project)}`).expect(404);
    } finally {
      await reader.stop();
    }
  });

  // red when: a GET or HEAD spends the token
  it('stay unchanged after ten HEAD and GET requests of a scanner', async () => {
    const { id, path } = await invited({ channel: beta });
    const state = () => app.sql('SELECT spent_at FROM invite WHERE tester_id = $1 ORDER BY id', [id]);
    const before = await state();
    for (const method of ['HEAD', 'GET']) {
      for (let time = 0; time < 10; time++) await open(path, HTML, method);
      for (const end of ['/unsubscribe', `/builds/${second.id}`, '/latest/ios']) await open(path + end, HTML, method);
    }
    expect(await state()).toEqual(before);
    expect(await app.sql('SELECT FROM download_ticket WHERE tester_id = $1', [id])).toEqual([]);
  });

  // red when: each channel has a query of its own, so that one reader takes the whole pool
  it('need as many queries for many channels as for one', async () => {
    const tester = await invited({ build: unreleased });
    const everything = await mails(tester.id, tester.email, {});
    const subscribe = async (channel: ChannelJson): Promise<void> => {
      await ann.promotes(project, channel, android);
      await ann.request('put', `/testers/${tester.id}/subscriptions/${channel.id}?${scope(project)}`).expect(200);
    };
    const reader = await TestApp.start({ beside: app, worker: false });
    const connections = jest.spyOn(reader.nest.get(DataSource), 'createQueryRunner');
    const asked = async (): Promise<number> => {
      await rawRequest(reader.url + everything, { method: 'GET', headers: HTML });
      connections.mockClear();
      const page = await rawRequest(reader.url + everything, { method: 'GET', headers: HTML });
      expect(page.text).toContain(android.id);
      return connections.mock.calls.length;
    };
    try {
      await subscribe(await ann.createsChannel(project));
      const ofOne = await asked();
      for (let count = 0; count < 8; count++) await subscribe(await ann.createsChannel(project));
      expect(await asked()).toBe(ofOne);
      expect(ofOne).toBeGreaterThan(0);
    } finally {
      await reader.stop();
    }
  });

  it('are built from the configuration and not from request headers', async () => {
    const evil = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', Accept: 'text/html' };
    const link = pathOf(beta);
    for (const path of [link, `${link}/builds/${second.id}`, `${link}/builds/${second.id}/manifest.plist`]) {
      expect((await open(path, evil)).text).not.toContain('evil.example');
    }
    expect((await open(`${link}/latest/ios`, evil)).headers['location']).not.toContain('evil.example');
  });

  it('show German to German readers and keep the chosen language', async () => {
    const page = await open(pathOf(beta), { ...HTML, 'Accept-Language': 'de-CH, en;q=0.5' });
    expect(page.text).toMatch(/<html lang="de">[^]*Installieren[^]*Weitere Versionen[^]*href="\?lang=en"/);
    const chosen = await open(`${pathOf(beta)}?lang=de`);
    expect(chosen.text).toContain(`/builds/${android.id}?lang=de"`);
    const lost = await open(`${pathOf(beta)}x?lang=de`);
    expect([lost.status, lost.text.includes('Dieser Link funktioniert nicht')]).toEqual([404, true]);
  });
});
