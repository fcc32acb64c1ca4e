import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPlist } from '#infra/artifact-inspection/formats/plist/plist';
import { WorkBudget } from '#infra/artifact-inspection/limits/work-budget';
import { type BuildJson } from '../support/actors/actors';
import { TestApp } from '../support/app/test-app';
import { apkOf, ipaOf } from '../support/artifacts/app-artifacts';
import { curlUpload, type RawRequest, rawRequest, type RawResponse } from '../support/load/raw-http';
import { until } from '../support/until';

const AGENTS = {
  safari:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  appstored: 'com.apple.appstored/1.0 iOS/18.0 model/iPhone15,2 hwp/t8120 build/23D127 (6; dt:282) AMS/1',
  chrome:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
};
const PREVIEWS = [
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'WhatsApp/2.23.20.0',
  'Twitterbot/1.0',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'TelegramBot (like TwitterBot)',
];

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const json = <Body>(response: RawResponse): Body => JSON.parse(response.text) as Body;

/** The public address of install links. No server listens there: `follow` redirects the requests. */
const INSTALL_BASE_URL = 'https://get.example.com';

describe('a new user', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { INSTALL_BASE_URL } });
  });
  afterAll(() => app.stop());

  /** Sends the request for a link to this process, like a reverse proxy. */
  const follow = (link: string, request: RawRequest = {}): Promise<RawResponse> => {
    const { pathname, search } = new URL(link, INSTALL_BASE_URL);
    return rawRequest(app.url + pathname + search, request);
  };
  const as = (agent: keyof typeof AGENTS, more: Record<string, string> = {}): RawRequest => ({
    headers: { 'User-Agent': AGENTS[agent], Accept: '*/*', ...more },
  });
  const call = (method: string, path: string, body?: object, token?: string): Promise<RawResponse> =>
    rawRequest(`${app.url}/api/v1${path}`, {
      method,
      headers: {
        ...(body && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const reservations = (
    kind: 'upload' | 'download',
  ): Promise<{ state: string; size_bytes: string; actual_bytes: string | null }[]> =>
    app.sql(`SELECT state, size_bytes, actual_bytes FROM reservation WHERE kind = $1 ORDER BY created_at, id`, [kind]);
  const storedFiles = (): string[] =>
    readdirSync(join(app.dataDirectory, 'artifacts'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  /** Signs up, verifies the address, logs in; creates an organization, a project and a token for CI. */
  async function signUp(email: string, project: object): Promise<{ login: string; ciToken: string; parents: string }> {
    const password = 'correct horse battery staple';
    expect((await call('POST', '/developers', { email, password })).status).toBe(202);

    const link = await app.mailbox.link(email);
    expect(link.origin).toBe('http://localhost:3000');
    // A mail scanner sends HEAD before the person opens the link.
    expect((await follow(link.href, { method: 'HEAD' })).status).toBe(200);
    const verified = await follow(link.href, as('safari', { Accept: 'text/html' }));
    expect([verified.status, verified.headers['set-cookie']]).toEqual([200, undefined]);
    expect(verified.text).toContain('Your e-mail address is verified');

    const { token: login } = json<{ token: string }>(await call('POST', '/login/email', { email, password }));
    const organization = json<{ id: string }>(await call('POST', '/organizations', { name: 'Tidewater Labs' }, login));
    const { id } = json<{ id: string }>(
      await call('POST', `/projects?organization_id=${organization.id}`, project, login),
    );
    const parents = `organization_id=${organization.id}&project_id=${id}`;
    const made = await call(
      'POST',
      `/project-access-tokens?${parents}`,
      { name: 'GitHub Actions', role: 'UPLOAD_BUILD' },
      login,
    );
    expect(made.status).toBe(201);
    return { login, parents, ciToken: json<{ token: string }>(made).token };
  }

  const upload = (ciToken: string, fileName: string, bytes: Buffer, fields = {}): Promise<RawResponse> =>
    curlUpload(`${app.url}/api/v1/builds`, ciToken, { fileName, bytes }, fields);

  // red when: HEAD settles or mints, links use the `Host` header, a ticket outlives its build, or `storage.delete-blob` does nothing
  it('signs up, uploads apps that testers install, and deletes a build with its file', async () => {
    const { login, ciToken, parents } = await signUp('ann@example.com', { name: 'Harbour' });

    // CI uploads both apps, each with one curl command and only the token.
    const facts = { name: 'Ebb & <Flow> 🌊', bundleId: 'com.example.harbour', version: '2.4.0', buildNumber: 318 };
    const ipa = ipaOf(facts);
    const apk = apkOf(facts);
    const ipaUpload = await upload(ciToken, 'Harbour.ipa', ipa, { notes: 'Tide tables work offline.', branch: 'main' });
    expect([ipaUpload.status, ipaUpload.headers['content-type']]).toEqual([201, 'application/json; charset=utf-8']);
    const ios = json<BuildJson>(ipaUpload);
    expect(ios).toMatchObject({
      platform: 'ios',
      version: '2.4.0',
      build_number: '318',
      notes: 'Tide tables work offline.',
      file_name: 'Harbour.ipa',
      size_bytes: ipa.length,
      sha256: sha256(ipa),
      app: { name: facts.name, bundle_id: facts.bundleId, min_os_version: '15.0' },
      signing: { kind: 'adhoc' },
      source: { branch: 'main' },
      installable: true,
    });
    const android = json<BuildJson>(await upload(ciToken, 'Harbour.apk', apk));
    expect(android).toMatchObject({
      platform: 'android',
      version: '2.4.0',
      sha256: sha256(apk),
      app: { name: facts.name, bundle_id: facts.bundleId, target_sdk: 34 },
      installable: true,
    });
    expect(await reservations('upload')).toMatchObject([
      { state: 'settled', actual_bytes: String(ipa.length) },
      { state: 'settled', actual_bytes: String(apk.length) },
    ]);
    for (const { install_url } of [ios, android])
      expect(install_url).toMatch(/^https:\/\/get\.example\.com\/install\//);

    // Link previews and scanners request the pages repeatedly, which is free.
    for (let round = 0; round < 10; round++) {
      const headers = { 'User-Agent': PREVIEWS[round % PREVIEWS.length]!, Accept: 'text/html' };
      for (const { install_url } of [ios, android]) {
        for (const method of ['HEAD', 'GET']) {
          expect((await follow(install_url, { method, headers })).status).toBe(200);
          expect((await follow(`${install_url}/icon.png`, { method, headers })).status).toBe(200);
          expect((await follow(`${install_url}/qr.svg`, { method, headers })).status).toBe(200);
        }
      }
      expect((await follow(`${ios.install_url}/manifest.plist`, { method: 'HEAD', headers })).status).toBe(200);
      expect((await follow(`${ios.install_url}/package.ipa`, { method: 'HEAD', headers })).status).toBe(200);
    }
    expect(await reservations('download')).toEqual([]);

    // A tester opens the page on an iPhone. The forged host headers have no effect.
    const page = await follow(ios.install_url, {
      headers: { 'User-Agent': AGENTS.safari, Accept: 'text/html', Host: 'evil.test', 'X-Forwarded-Host': 'evil.test' },
    });
    expect(page.status).toBe(200);
    expect(page.text).toContain('Ebb &amp; &lt;Flow&gt; 🌊');
    expect(page.text).toContain('Tide tables work offline.');
    const button = /href="(itms-services:[^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&');
    expect(button).toMatch(/^itms-services:\/\/\?action=download-manifest&url=/);
    const manifestUrl = new URL(button!).searchParams.get('url')!;
    expect(manifestUrl).toBe(`${ios.install_url}/manifest.plist`);

    // The installer of iOS sends no cookie. It requests the manifest, HEAD and GET of the package, and resumes the download.
    const manifest = await follow(manifestUrl, {
      headers: { 'User-Agent': AGENTS.appstored, Host: 'evil.test', 'X-Forwarded-Host': 'evil.test' },
    });
    expect([manifest.status, manifest.headers['content-type']]).toEqual([200, 'text/xml; charset=utf-8']);
    expect(page.text + manifest.text).not.toContain('evil.test');
    const { packageUrl, iconUrl, metadata } = readManifest(manifest.body);
    expect(metadata).toEqual({
      'bundle-identifier': facts.bundleId,
      'bundle-version': '2.4.0',
      kind: 'software',
      'platform-identifier': 'com.apple.platform.iphoneos',
      title: facts.name,
    });
    expect(packageUrl).toMatch(/^https:\/\/get\.example\.com\/download\/[^/]+\/Harbour\.ipa$/);
    expect((await follow(iconUrl!, as('appstored'))).headers['content-type']).toBe('image/png');
    expect(await reservations('download')).toMatchObject([{ state: 'active', size_bytes: String(ipa.length) }]);

    const head = await follow(packageUrl, { ...as('appstored'), method: 'HEAD' });
    expect(head).toMatchObject({
      status: 200,
      headers: {
        'content-length': String(ipa.length),
        'content-type': 'application/octet-stream',
        'accept-ranges': 'bytes',
      },
    });
    expect(await reservations('download')).toMatchObject([{ state: 'active' }]);
    const whole = await follow(packageUrl, as('appstored'));
    expect([whole.status, sha256(whole.body)]).toEqual([200, ios.sha256]);
    const half = Math.floor(ipa.length / 2);
    const resume = { 'If-Range': String(whole.headers.etag) };
    const first = await follow(packageUrl, as('appstored', { Range: `bytes=0-${half - 1}` }));
    const rest = await follow(packageUrl, as('appstored', { Range: `bytes=${half}-`, ...resume }));
    expect([first.status, rest.status]).toEqual([206, 206]);
    expect(rest.headers['content-range']).toBe(`bytes ${half}-${ipa.length - 1}/${ipa.length}`);
    expect(sha256(Buffer.concat([first.body, rest.body]))).toBe(ios.sha256);
    const settled = { state: 'settled', actual_bytes: String(ipa.length) };
    expect(await reservations('download')).toMatchObject([settled]);

    // A tester with Android: Chrome follows the button to the file.
    const chrome = as('chrome', { Accept: 'text/html', 'Sec-CH-UA-Platform': '"Android"' });
    const androidPage = await follow(android.install_url, chrome);
    const download = /class="button primary" href="([^"]+)"/.exec(androidPage.text)?.[1];
    expect(download).toMatch(/\/package\.apk$/);
    const redirect = await follow(download!, chrome);
    expect(redirect.status).toBe(302);
    const file = await follow(redirect.headers.location!, chrome);
    expect(file).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/vnd.android.package-archive',
        'content-disposition': 'attachment; filename=Harbour.apk',
        'content-length': String(apk.length),
        'x-content-type-options': 'nosniff',
      },
    });
    expect(sha256(file.body)).toBe(android.sha256);
    expect(await reservations('download')).toMatchObject([
      settled,
      { state: 'settled', actual_bytes: String(apk.length) },
    ]);

    // The iOS build is deleted with its link, and then also from the trash, with its ticket and file. The other build remains.
    expect(storedFiles()).toHaveLength(2);
    expect((await call('DELETE', `/builds/${ios.id}?${parents}`, undefined, ciToken)).status).toBe(403);
    expect((await call('DELETE', `/builds/${ios.id}?${parents}`, undefined, login)).status).toBe(204);
    const deleted = await follow(ios.install_url, as('safari', { Accept: 'text/html' }));
    expect([deleted.status, deleted.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(deleted.text).toContain('This link does not work');
    const envelope = await follow(ios.install_url, as('safari', { Accept: 'application/json' }));
    expect(json(envelope)).toMatchObject({ error: 'not_found' });
    expect((await call('DELETE', `/builds/${ios.id}?${parents}&permanently=true`, undefined, login)).status).toBe(204);
    expect((await follow(packageUrl, as('appstored'))).status).toBe(404);
    await until(() => storedFiles().length === 1);
    expect(sha256(readFileSync(storedFiles()[0]!))).toBe(android.sha256);
    expect((await follow(android.install_url, chrome)).status).toBe(200);

    // The log contains no credential.
    const log = app.logLines.join('');
    for (const secret of [ciToken, login, new URL(packageUrl).pathname.split('/')[2]!])
      expect(log).not.toContain(secret);
  });

  const folder = process.env['AGATE_FIXTURES'];
  const files = ['ipa', 'apk', 'aab'].flatMap((kind) =>
    folder && existsSync(join(folder, kind)) ? readdirSync(join(folder, kind)).map((name) => join(kind, name)) : [],
  );
  const realArtifacts = folder ? describe : describe.skip;

  realArtifacts('with the real artifacts of the folder AGATE_FIXTURES', () => {
    if (!folder) return void it('is skipped because AGATE_FIXTURES is not set', () => undefined);
    const expectations = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Record<string, Expectation>;

    it('uploads each, reads its metadata, and downloads the same bytes', async () => {
      const { login, ciToken, parents } = await signUp('bob@example.com', {
        name: 'Real',
        allow_any_bundle_id: true,
      });
      expect(files.length).toBeGreaterThan(0);
      for (const name of files) {
        const bytes = readFileSync(join(folder, name));
        const response = await upload(ciToken, name.split('/').at(-1)!, bytes);
        expect([name, response.status, response.status === 201 ? '' : response.text]).toEqual([name, 201, '']);
        const build = json<BuildJson>(response);
        const expectation = expectations[name];
        if (expectation) expect([name, factsOf(build, expectation)]).toEqual([name, expectedOf(expectation)]);
        expect((await follow(build.install_url, as('safari', { Accept: 'text/html' }))).status).toBe(200);

        const minted = await call('POST', `/builds/${build.id}/download-url?${parents}`, {}, login);
        const file = await follow(json<{ url: string }>(minted).url);
        expect([name, file.status, sha256(file.body)]).toEqual([name, 200, sha256(bytes)]);
      }
    });
  });
});

interface Manifest {
  readonly packageUrl: string;
  readonly iconUrl: string | undefined;
  readonly metadata: Record<string, unknown>;
}

/** Uses the strict parser of uploads, which rejects a bare ampersand and unknown tags. */
function readManifest(body: Buffer): Manifest {
  type Dict = Map<string, unknown>;
  const [item] = readPlist(body, new WorkBudget()).get('items') as unknown as [Dict];
  const assets = new Map(
    (item.get('assets') as Dict[]).map((asset) => [asset.get('kind'), asset.get('url') as string]),
  );
  return {
    packageUrl: assets.get('software-package')!,
    iconUrl: assets.get('display-image'),
    metadata: Object.fromEntries(item.get('metadata') as Dict),
  };
}

/** The metadata of an artifact as aapt, apksigner and a plist reader print it. */
interface Expectation {
  readonly sha256: string;
  readonly bundleId?: string;
  readonly version?: string;
  readonly build?: string;
  readonly name?: string;
  readonly minOS?: string;
  readonly profile?: { kind: string; name: string; team: string; expires: string; devices: number | null };
  readonly package?: string;
  readonly versionCode?: string;
  readonly versionName?: string;
  readonly minSdk?: string;
  readonly targetSdk?: string;
  readonly label?: string;
  readonly debuggable?: boolean;
  readonly certSha256?: string[];
}

const expectedOf = (expectation: Expectation): object => ({
  sha256: expectation.sha256,
  bundleId: expectation.bundleId ?? expectation.package,
  version: expectation.version ?? expectation.versionName,
  build: expectation.build ?? expectation.versionCode,
  name: expectation.name ?? expectation.label,
  ...(expectation.profile
    ? {
        minOs: expectation.minOS,
        kind: expectation.profile.kind,
        profile: expectation.profile.name,
        team: expectation.profile.team,
        expires: expectation.profile.expires,
        devices: expectation.profile.devices,
      }
    : {
        minSdk: Number(expectation.minSdk),
        targetSdk: Number(expectation.targetSdk),
        debuggable: expectation.debuggable,
        certificate: expectation.certSha256?.[0],
      }),
});

function factsOf(build: BuildJson, expectation: Expectation): object {
  const { app, signing } = build as unknown as Record<'app' | 'signing', Record<string, unknown>>;
  return {
    sha256: build.sha256,
    bundleId: app['bundle_id'],
    version: build.version,
    build: build['build_number'],
    name: app['name'],
    ...(expectation.profile
      ? {
          minOs: app['min_os_version'],
          kind: signing['kind'],
          profile: signing['profile_name'],
          team: signing['team_id'],
          expires: (signing['expires_at'] as string).replace('.000Z', 'Z'),
          devices: signing['device_count'],
        }
      : {
          minSdk: app['min_sdk'],
          targetSdk: app['target_sdk'],
          debuggable: app['debuggable'],
          certificate: signing['certificate_sha256'],
        }),
  };
}
