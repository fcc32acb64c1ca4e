import { parse } from 'plist';
import { type BuildJson, type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { png } from '../../support/artifacts/png-writer';
import { apk, ipa } from '../../support/artifacts/valid-artifacts';
import { readPlists, textBehind } from '../../support/checks/xmllint';
import { rawRequest, type RawResponse } from '../../support/load/raw-http';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1';
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/137.0.0.0 Mobile Safari/537.36';
const DESKTOP = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/137.0.0.0 Safari/537.36';
const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';
const HOSTILE_NAME = `A"><script>alert(1)</script>&'\r\n]]></string>`;

interface Manifest {
  readonly items: readonly {
    readonly assets: readonly { readonly kind: string; readonly url: string }[];
    readonly metadata: Readonly<Record<string, string>>;
  }[];
}

describe('an install link', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let ios: BuildJson;
  let android: BuildJson;
  let hostile: BuildJson;
  let appStore: BuildJson;

  beforeAll(async () => {
    app = await TestApp.start();
    ann = await app.developer();
    const organization = await ann.createsOrganization();
    project = await ann.createsProject(organization, 'Shopping list');
    const other = await ann.createsProject(organization);
    const upload = (bytes: Buffer, fileName: string, to = project) => ann.uploads(to, { bytes, fileName });
    ios = await upload(ipa({ icon: png() }), 'Demo.ipa');
    android = await upload(apk(), 'Demo.apk');
    hostile = await upload(ipa({ info: { CFBundleDisplayName: HOSTILE_NAME } }), 'Demo.ipa', other);
    appStore = await upload(ipa({ distribution: 'appstore' }), 'Store.ipa', other);
  });
  afterAll(() => app.stop());

  const pathOf = ({ install_url }: BuildJson): string => new URL(install_url).pathname;
  const open = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<RawResponse> =>
    rawRequest(app.url + path, { method, headers });
  const page = (build: BuildJson, userAgent: string): Promise<RawResponse> =>
    open(pathOf(build), { Accept: HTML, 'User-Agent': userAgent });
  const manifestOf = async (build: BuildJson): Promise<Manifest> =>
    parse((await open(`${pathOf(build)}/manifest.plist`)).text) as unknown as Manifest;
  /** The targets of the links and images of a page. */
  const linksOf = ({ text }: RawResponse): string[] =>
    [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'));
  const unescaped = (text: string): string =>
    text.replace(/&#x27;|&#39;|&quot;|&lt;|&gt;|&amp;/g, (entity) => ENTITIES[entity] ?? entity);
  const ENTITIES: Readonly<Record<string, string>> = {
    '&#x27;': "'",
    '&#39;': "'",
    '&quot;': '"',
    '&lt;': '<',
    '&gt;': '>',
    '&amp;': '&',
  };
  const rows = async (): Promise<unknown> =>
    app.sql(`SELECT (SELECT count(*) FROM reservation) AS reservations, (SELECT count(*) FROM download_ticket) AS tickets,
      (SELECT max(id::text) FROM download_ticket) AS last`);

  it.each([IPHONE, ANDROID, DESKTOP])('shows project, app and version to %s', async (userAgent) => {
    for (const build of [ios, android]) {
      const response = await page(build, userAgent);
      expect([response.status, response.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(response.text).toMatch(/<h1><bdi>[^<]+<\/bdi><\/h1>/);
      expect(response.text).toContain('Shopping list');
      expect(response.text).toContain(build.version);
    }
    expect((await page(ios, userAgent)).text).toContain('<h1><bdi>Demo App</bdi></h1>');
  });

  it('gives an iPhone an itms-services link to a manifest with a working download URL', async () => {
    const links = linksOf(await page(ios, IPHONE)).filter((link) => link.startsWith('itms-services:'));
    expect(links.length).toBeGreaterThan(0);
    const url = new URL(links[0] ?? '');
    expect(url.searchParams.get('action')).toBe('download-manifest');
    expect(url.searchParams.get('url')).toBe(`${ios.install_url}/manifest.plist`);

    const response = await open(`${pathOf(ios)}/manifest.plist`);
    expect([response.status, response.headers['content-type']]).toEqual([200, 'text/xml; charset=utf-8']);
    const [item] = (parse(response.text) as unknown as Manifest).items;
    expect(item?.metadata).toMatchObject({
      kind: 'software',
      title: 'Demo App',
      'bundle-identifier': 'com.example.demo',
      'bundle-version': '1.2.3',
    });
    expect(item?.assets.map(({ kind }) => kind)).toEqual(['software-package', 'display-image', 'full-size-image']);
    const packageUrl = new URL(item?.assets[0]?.url ?? '');
    expect(packageUrl.pathname).toMatch(/^\/download\//);
    const { status, body } = await open(packageUrl.pathname + packageUrl.search);
    expect([status, body.length]).toEqual([200, ios.size_bytes]);
  });

  it('gives Android a link to the package and no itms-services link', async () => {
    const links = linksOf(await page(android, ANDROID));
    expect(links).toContain(`${pathOf(android)}/package.apk`);
    expect(links.filter((link) => link.startsWith('itms-services:'))).toEqual([]);
  });

  it('shows the QR code on a desktop', async () => {
    for (const build of [ios, android])
      expect(linksOf(await page(build, DESKTOP))).toContain(`${pathOf(build)}/qr.svg`);
  });

  // red when: the manifest does not escape its values
  it('escapes a hostile app name in page and manifest', async () => {
    const response = await page(hostile, IPHONE);
    expect(response.status).toBe(200);
    expect(response.text).not.toContain('<script>alert');
    expect(unescaped(response.text)).toContain(`A"><script>alert(1)</script>&'`);
    const manifest = await open(`${pathOf(hostile)}/manifest.plist`);
    const { complaints, texts } = await readPlists([manifest.text], [textBehind('title')]);
    expect([complaints, texts[0]?.[0]]).toEqual(['', expect.stringContaining(`A"><script>alert(1)</script>&'`)]);
    const [item] = (await manifestOf(hostile)).items;
    expect(Object.keys(item?.metadata ?? {}).sort()).toEqual([
      'bundle-identifier',
      'bundle-version',
      'kind',
      'platform-identifier',
      'title',
    ]);
    expect(item?.assets).toHaveLength(3);
  });

  it('redirects the package to a download URL', async () => {
    for (const [build, extension] of [
      [ios, 'ipa'],
      [android, 'apk'],
    ] as const) {
      const response = await open(`${pathOf(build)}/package.${extension}`);
      expect(response.status).toBe(302);
      const location = new URL(response.headers.location ?? '', app.url);
      expect(location.pathname).toMatch(/^\/download\//);
      const download = await open(location.pathname + location.search);
      expect([download.status, download.body.length]).toEqual([200, build.size_bytes]);
    }
    for (const file of ['package.apk', 'package', 'package.ipa.exe', 'other.ipa']) {
      expect((await open(`${pathOf(ios)}/${file}`)).status).toBe(404);
    }
  });

  // red when: page and redirect build the name of the package in other ways than the route compares it
  it.each(['server', '.profile', 'server.', 'server.v1#2?', 'server.Ä'])(
    'links to a package that downloads when the file is called %s',
    async (fileName) => {
      const file = { bytes: Buffer.from(fileName), fileName };
      const build = await ann.uploads(project, file, { platform: 'linux', version: '1.0.0' });
      const [link = ''] = linksOf(await page(build, DESKTOP)).filter((each) => each.includes('/package'));
      const latest = await open(`${pathOf(build)}/latest/linux/package`);
      const { pathname, search } = new URL(latest.headers.location ?? '', app.url);
      for (const path of [link, pathname + search]) {
        expect([path, (await open(path, {}, 'HEAD')).status]).toEqual([path, 200]);
        expect([path, (await open(path)).status]).toEqual([path, 302]);
      }
    },
  );

  // red when: HEAD of the manifest has no handler and runs the handler of GET
  it('reserves and mints nothing for pages, images and HEAD requests', async () => {
    const before = await rows();
    for (const build of [ios, android, appStore]) {
      const path = pathOf(build);
      const extension = build.platform === 'ios' ? 'ipa' : 'apk';
      for (const userAgent of [IPHONE, ANDROID, DESKTOP, 'Slackbot-LinkExpanding 1.0', '']) {
        const heads = ['', '/manifest.plist', `/package.${extension}`, '/icon.png', '/qr.svg', '/qr.png'];
        const headers = { Accept: HTML, 'User-Agent': userAgent };
        const responses = await Promise.all([
          ...heads.map((end) => open(path + end, headers, 'HEAD')),
          ...['', '/icon.png', '/qr.svg', '/qr.png'].map((end) => open(path + end, headers)),
        ]);
        for (const { status } of responses) expect(status).toBeLessThan(500);
        for (const { body } of responses.slice(0, heads.length)) expect(body).toHaveLength(0);
      }
    }
    expect(await rows()).toEqual(before);
    const head = await open(`${pathOf(ios)}/package.ipa`, {}, 'HEAD');
    expect(head).toMatchObject({ status: 200, headers: { 'content-length': String(ios.size_bytes) } });
    expect((await open(`${pathOf(ios)}/manifest.plist`, {}, 'HEAD')).status).toBe(200);
    expect(await rows()).toEqual(before);
    await open(`${pathOf(appStore)}/package.ipa`);
    expect(await rows()).not.toEqual(before);
  });

  // red when: the icon has no content security policy
  it('serves icon and QR code with their media type and a policy that runs nothing', async () => {
    for (const [file, type, start] of [
      ['icon.png', 'image/png', '\u0089PNG'],
      ['qr.svg', 'image/svg+xml', '<'],
      ['qr.png', 'image/png', '\u0089PNG'],
    ] as const) {
      const response = await open(`${pathOf(ios)}/${file}`);
      expect(response.status).toBe(200);
      expect(response.headers['content-type']?.split(';')[0]).toBe(type);
      expect(response.headers['content-security-policy']).toBe("default-src 'none'; sandbox");
      expect(response.headers['x-content-type-options']).toBe('nosniff');
      expect(response.body.toString('latin1').startsWith(start)).toBe(true);
    }
  });

  it('responds to an unknown token with a page for browsers and the error envelope for programs', async () => {
    const unknown = [pathOf(ios).slice(0, -1) + (pathOf(ios).endsWith('A') ? 'B' : 'A'), '/install/nonsense'];
    for (const path of unknown) {
      const forPeople = await open(path, { Accept: 'text/html' });
      expect([forPeople.status, forPeople.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      for (const end of ['', '/manifest.plist', '/package.ipa', '/icon.png', '/qr.svg', '/qr.png']) {
        const response = await open(path + end, { Accept: 'application/json' });
        expect([response.status, response.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
        expect(JSON.parse(response.text)).toMatchObject({ error: 'not_found' });
      }
    }
  });

  // red when: the manifest of a build that cannot be installed is served
  it('shows a reason instead of a button for a build that iOS cannot install over the air', async () => {
    const before = await rows();
    for (const userAgent of [IPHONE, DESKTOP]) {
      expect((await page(appStore, userAgent)).text).not.toContain('itms-services');
    }
    const response = await open(`${pathOf(appStore)}/manifest.plist`, { Accept: 'application/json' });
    expect(response.status).toBe(400);
    expect(JSON.parse(response.text)).toMatchObject({
      error: 'operation_not_allowed',
      message: 'The app is signed for the App Store. Export it as Ad Hoc, Development or Enterprise.',
      details: { reason: 'app_store_signed' },
    });
    // The API message is for developers; pages have a text for testers, also when a browser opens the manifest.
    for (const path of ['', '/manifest.plist']) {
      const { text } = await open(pathOf(appStore) + path, { Accept: HTML, 'User-Agent': IPHONE });
      expect(unescaped(text)).toContain('Ask for one that is signed for testing.');
    }
    expect((await open(`${pathOf(appStore)}/manifest.plist`, {}, 'HEAD')).status).toBe(400);
    expect((await open(`${pathOf(android)}/manifest.plist`)).status).toBe(404);
    expect(await rows()).toEqual(before);
  });

  it.each(['Host', 'X-Forwarded-Host', 'X-Original-Host', 'Forwarded'])('ignores the header %s', async (name) => {
    const value = name === 'Forwarded' ? 'host=evil.example' : 'evil.example';
    for (const end of ['', '/manifest.plist', '/package.ipa', '/qr.svg', '/qr.png']) {
      const response = await open(pathOf(ios) + end, { Accept: HTML, 'User-Agent': IPHONE, [name]: value });
      expect(response.status).toBeLessThan(400);
      expect(response.text + JSON.stringify(response.headers)).not.toContain('evil.example');
    }
  });

  it('has pages that forbid referrers, indexing, caching, framing and inline script', async () => {
    for (const response of [await page(ios, IPHONE), await open('/install/nonsense', { Accept: HTML })]) {
      expect(response.headers).toMatchObject({
        'referrer-policy': 'no-referrer',
        'x-robots-tag': expect.stringContaining('noindex') as string,
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
      });
      const policy = response.headers['content-security-policy'] as string;
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*/);
      // The policy blocks inline script and style. The page contains none.
      expect(response.text).not.toMatch(/<script(?![^>]*\ssrc=)|\sstyle=|<style|\son[a-z]+=/);
    }
  });

  it('stops working when its build is deleted', async () => {
    const build = await ann.uploads(project, { bytes: ipa({ info: { CFBundleVersion: '43' } }), fileName: 'Demo.ipa' });
    expect((await page(build, IPHONE)).status).toBe(200);
    await ann.delete(`/builds/${build.id}?${scope(project)}&permanently=true`).expect(204);
    for (const end of ['', '/manifest.plist', '/package.ipa', '/icon.png', '/qr.svg', '/qr.png']) {
      const response = await open(pathOf(build) + end, { Accept: 'application/json' });
      expect([end, response.status]).toEqual([end, 404]);
    }
  });
});
