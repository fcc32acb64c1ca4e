import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { load } from 'js-yaml';
import { validateXML } from 'xmllint-wasm';
import { type BuildJson, type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';

type Desktop = 'macos' | 'windows' | 'linux';

const SIGNATURE = 'WVyVJpOx+a5+vNWJVY79TRjFKveNk+VhGJf2iti4CZtJsJewIUGvh/1AKKEAFbH1qUwx+vro1ECuzOsMmumoBA==';
const NOTES = 'New <login> & "faster" start\n# not a comment: yes';
const FILES: Readonly<Record<Desktop, string>> = {
  macos: 'Demo 2.zip',
  windows: 'Demo Setup.exe',
  linux: 'Demo.AppImage',
};

/** The elements and attributes of the published sample appcast that this service uses. */
const APPCAST_GRAMMAR = `<grammar xmlns="http://relaxng.org/ns/structure/1.0" xmlns:s="http://www.andymatuschak.org/xml-namespaces/sparkle">
  <start><element name="rss"><attribute name="version"><value>2.0</value></attribute><element name="channel">
    <element name="title"><text/></element>
    <oneOrMore><element name="item"><interleave>
      <element name="title"><text/></element>
      <element name="pubDate"><text/></element>
      <element name="s:version"><text/></element>
      <element name="s:shortVersionString"><text/></element>
      <optional><element name="s:criticalUpdate"><empty/></element></optional>
      <optional><element name="s:hardwareRequirements"><value>arm64</value></element></optional>
      <optional><element name="description"><attribute name="s:format"/><text/></element></optional>
      <element name="enclosure">
        <attribute name="url"/><attribute name="length"/><attribute name="type"/><attribute name="s:os"/>
        <optional><attribute name="s:edSignature"/></optional>
      </element>
    </interleave></element></oneOrMore>
  </element></element></start>
</grammar>`;

describe('the feeds of desktop frameworks', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  const keys: Record<string, string> = {};
  const builds: Record<string, BuildJson> = {};
  beforeAll(async () => {
    app = await TestApp.start();
    ann = await verifiedDeveloper(app);
    project = await ann.createsProject(await ann.createsOrganization());
    for (const platform of ['macos', 'windows', 'linux', 'ios']) {
      const { body } = await ann.post(`/update-keys?${scope(project)}`, { platform }).expect(201);
      keys[platform] = (body as { key: string }).key;
    }
    for (const [platform, fileName] of Object.entries(FILES)) {
      const file = { bytes: Buffer.from(`the app for ${platform}`), fileName };
      const fields = { platform, version: '1.10.0', build_number: '42', notes: NOTES };
      builds[platform] = await ann.uploads(project, file, fields);
    }
  });
  afterAll(() => app.stop());

  const feed = (platform: string, path: string) => app.anonymous.get(`/updates/${keys[platform]}/${path}`);
  const urlOf = (platform: Desktop): string =>
    `http://localhost:3000/updates/${keys[platform]}/builds/${builds[platform]?.id}/${encodeURIComponent(FILES[platform])}`;
  const versionedUrlOf = (platform: Desktop): string =>
    `http://localhost:3000/updates/${keys[platform]}/files/1.10.0/${encodeURIComponent(FILES[platform])}`;
  const sign = (platform: Desktop, signature: unknown) =>
    ann
      .request('put', `/builds/${builds[platform]?.id}/update-signature?${scope(project)}`)
      .send({ signature: signature as string });
  const xpath = async (xml: string, place: string): Promise<string> => {
    const { normalized, errors, valid } = await validateXML({
      xml: [{ fileName: 'appcast.xml', contents: xml }],
      schema: APPCAST_GRAMMAR,
      extension: 'relaxng',
      modifyArguments: (files) => ['--quiet', '--xpath', `string(${place})`, ...files],
    });
    expect({ valid, errors }).toEqual({ valid: true, errors: [] });
    return normalized.trim();
  };

  // red when: a text is not escaped, the build number is not sparkle:version, or the signature is missing
  it('give Sparkle an appcast that has the form of its samples, with the stored signature', async () => {
    await sign('macos', SIGNATURE).expect(200);
    const { text, headers } = await feed('macos', 'appcast.xml').buffer(true).expect(200);
    expect(headers['content-type']).toBe('application/rss+xml; charset=utf-8');
    const sparkle = (name: string): string => `//*[local-name() = "${name}"]`;
    expect(await xpath(text, sparkle('version'))).toBe('42');
    expect(await xpath(text, sparkle('shortVersionString'))).toBe('1.10.0');
    expect(await xpath(text, '//description')).toBe(NOTES);
    expect(await xpath(text, '//enclosure/@url')).toBe(urlOf('macos'));
    expect(await xpath(text, '//enclosure/@length')).toBe(String(builds['macos']?.size_bytes));
    expect(await xpath(text, '//enclosure/@*[local-name() = "edSignature"]')).toBe(SIGNATURE);
    expect(Date.parse(await xpath(text, '//pubDate'))).toBe(
      Math.floor(Date.parse(String(builds['macos']?.uploaded_at)) / 1000) * 1000,
    );
    await sign('macos', null).expect(200);
    expect((await feed('macos', 'appcast.xml').buffer(true).expect(200)).text).not.toContain('edSignature');
    await feed('windows', 'appcast.xml').expect(200);
    await feed('linux', 'appcast.xml').expect(200);
  });

  // red when: a text is not quoted, or a feed is served for another platform
  it.each<[Desktop, string]>([
    ['windows', 'latest.yml'],
    ['macos', 'latest-mac.yml'],
    ['linux', 'latest-linux.yml'],
  ])('give electron-updater on %s the file %s', async (platform, path) => {
    const { text } = await feed(platform, `${path}?noCache=1af3`).buffer(true).expect(200);
    const build = builds[platform]!;
    const sha512 = createHash('sha512').update(`the app for ${platform}`).digest('base64');
    expect(load(text)).toEqual({
      version: '1.10.0',
      files: [{ url: versionedUrlOf(platform), sha512, size: build.size_bytes }],
      path: versionedUrlOf(platform),
      sha512,
      releaseDate: build.uploaded_at,
      releaseNotes: NOTES,
    });
    for (const other of Object.keys(keys)) if (other !== platform) await feed(other, path).expect(404);
  });

  // red when: electron-updater, which needs a zip on macOS, is given another file
  it('are 404 with the reason for the updaters of Electron when a build of macOS is no .zip', async () => {
    const dmgs = await ann.createsProject({ id: project.organizationId });
    const { body } = await ann.post(`/update-keys?${scope(dmgs)}`, { platform: 'macos' }).expect(201);
    const { key } = body as { key: string };
    const fields = { platform: 'macos', version: '1.2.3', build_number: '1' };
    await ann.uploads(dmgs, { bytes: Buffer.from('dmg'), fileName: 'Demo.dmg' }, fields);
    for (const path of ['latest-mac.yml', 'beta-mac.yml', 'squirrel?version=1.0.0']) {
      const refused = await app.anonymous.get(`/updates/${key}/${path}`).expect(404);
      expect((refused.body as { message: string }).message).toContain('Demo.dmg');
    }
    await app.anonymous.get(`/updates/${key}/squirrel?version=1.2.3`).expect(204);
    await app.anonymous.get(`/updates/${key}/appcast.xml`).expect(200);
  });

  // red when: the app of a prerelease, which requests the feed of its channel, gets no updates
  it.each<[Desktop, string, string]>([
    ['windows', 'beta.yml', 'latest.yml'],
    ['macos', 'alpha-mac.yml', 'latest-mac.yml'],
    ['linux', 'rc-linux.yml', 'latest-linux.yml'],
  ])('are the same for %s at %s as at %s', async (platform, alias, latest) => {
    const [first, second] = await Promise.all([alias, latest].map((path) => feed(platform, path).buffer(true)));
    expect([first?.status, first?.text]).toEqual([200, second?.text]);
    for (const other of Object.keys(keys)) if (other !== platform) await feed(other, alias).expect(404);
  });

  it("give Electron's own updater and Tauri an update only when it is newer", async () => {
    const squirrel = (version: string) => feed('macos', `squirrel?version=${version}`);
    const date = builds['macos']?.uploaded_at;
    expect((await squirrel('1.9.9').expect(200)).body).toEqual({
      url: urlOf('macos'),
      name: '1.10.0',
      notes: NOTES,
      pub_date: date,
    });
    for (const version of ['1.10.0', '1.11']) expect((await squirrel(version).expect(204)).text).toBe('');
    await feed('macos', 'squirrel').expect(400);
    await feed('windows', 'squirrel?version=1').expect(404);

    const tauri = (version: string, target = 'windows', key = 'windows') =>
      feed(key, `tauri/${target}/x86_64/${version}`);
    await tauri('1.9.9').expect(404);
    await sign('windows', SIGNATURE).expect(200);
    expect((await tauri('1.9.9').expect(200)).body).toEqual({
      version: '1.10.0',
      url: urlOf('windows'),
      signature: SIGNATURE,
      notes: NOTES,
      pub_date: builds['windows']?.uploaded_at,
    });
    await tauri('1.10.0').expect(204);
    await tauri('1.0.0', 'darwin').expect(404);
    await tauri('1.0.0', 'amiga').expect(404);
    await tauri('1.0.0', 'constructor').expect(404);
  });

  it.each([
    ['macos', 'appcast.xml'],
    ['linux', 'latest-linux.yml'],
    ['macos', 'squirrel?version=1.0.0'],
  ])('are the same bytes for %s and %s until a build is uploaded, and then 304', async (platform, path) => {
    const first = await feed(platform, path).buffer(true).expect(200);
    const again = await feed(platform, path).buffer(true).expect(200);
    expect(again.text).toBe(first.text);
    await feed(platform, path).set('If-None-Match', first.headers['etag']!).expect(304);
    await feed(platform, path).set('If-None-Match', '"other"').expect(200);
  });

  it('are 404 for keys of phones and unknown names', async () => {
    for (const path of ['appcast.xml', 'squirrel?version=1', 'tauri/darwin/aarch64/1.0', 'latest.yml'])
      await feed('ios', path).expect(404);
    for (const path of ['latest-linux-arm64.yml', 'a..b.yml', '-linux.yml', `${'a'.repeat(70)}.yml`])
      await feed('linux', path).expect(404);
    await feed('windows', 'RELEASES').expect(404);
  });

  it('need a signature that is base64 of at most 1024 characters', async () => {
    const path = `/builds/${builds['linux']?.id}/update-signature?${scope(project)}`;
    expect((await ann.get(path).expect(200)).body).toEqual({ signature: null });
    await sign('linux', '"/>').expect(400);
    await sign('linux', 'A'.repeat(1025)).expect(400);
    await sign('linux', undefined).expect(400);
    await sign('linux', 'QUJD').expect(200);
    expect((await ann.get(path).expect(200)).body).toEqual({ signature: 'QUJD' });
    const other = await ann.createsProject({ id: project.organizationId });
    await ann.get(`/builds/${builds['linux']?.id}/update-signature?${scope(other)}`).expect(404);
    const viewer = app.ci(await ann.createsToken(project, 'VIEW_PROJECT'));
    await viewer.request('put', path).send({ signature: 'QUJD' }).expect(403);
  });

  describe('of a build with attachments', () => {
    let desk: ProjectRef;
    beforeEach(async () => {
      desk = await ann.createsProject({ id: project.organizationId });
    });

    const uploads = async (platform: Desktop, fileName: string, version = '1.0.0'): Promise<BuildJson> =>
      ann.uploads(desk, { bytes: Buffer.from(`the app ${version}`), fileName }, { platform, version });
    const attaches = (build: BuildJson, fileName: string, fields: Record<string, string> = {}) =>
      ann.attaches(desk, build, { bytes: Buffer.from(`PK${fileName}`), fileName }, { kind: 'update', ...fields });
    const newKey = async (platform: Desktop): Promise<string> => {
      const { body } = await ann.post(`/update-keys?${scope(desk)}`, { platform }).expect(201);
      return (body as { key: string }).key;
    };
    const get = (key: string, path: string) => app.anonymous.get(`/updates/${key}/${path}`).redirects(0);
    const filesOf = async (key: string, path: string): Promise<string[]> => {
      const { text } = await get(key, path).buffer(true).expect(200);
      const { files } = load(text) as { files: { url: string }[] };
      return files.map(({ url }) => decodeURIComponent(url.slice(url.lastIndexOf('/') + 1)));
    };
    const pathIn = (url: string): string => url.slice(url.indexOf('/updates/'));

    // red when: a feed names a file that its updater cannot install
    it('are 404 with the reason for a .dmg until a .zip is attached', async () => {
      const key = await newKey('macos');
      const build = await uploads('macos', 'Demo.dmg');
      for (const path of ['latest-mac.yml', 'squirrel?version=0.9.0']) {
        const { body } = await get(key, path).expect(404);
        expect((body as { message: string }).message).toMatch(/needs a \.zip.*Demo\.dmg/);
      }
      await attaches(build, 'Demo.zip');
      expect(await filesOf(key, 'latest-mac.yml')).toEqual(['Demo.zip']);
      const { body } = await get(key, 'squirrel?version=0.9.0').expect(200);
      await app.anonymous
        .get(pathIn((body as { url: string }).url))
        .redirects(0)
        .expect(302);
    });

    // red when: a deleted attachment stays in the feed, or the ETag does not change
    it('change their ETag with the attachments, also of a build that is current', async () => {
      const key = await newKey('macos');
      const build = await uploads('macos', 'Demo.zip');
      const etag = async (): Promise<string> => (await get(key, 'latest-mac.yml').expect(200)).headers['etag']!;
      const first = await etag();
      const attachment = await attaches(build, 'Demo-arm64.zip');
      expect(await etag()).not.toBe(first);
      expect(await filesOf(key, 'latest-mac.yml')).toEqual(['Demo.zip', 'Demo-arm64.zip']);
      await ann.delete(`/builds/${build.id}/attachments/${attachment.id}?${scope(desk)}`).expect(204);
      expect(await etag()).toBe(first);
    });

    it('name the files of each architecture of Linux', async () => {
      const key = await newKey('linux');
      const build = await uploads('linux', 'Demo.AppImage');
      await get(key, 'latest-linux-arm64.yml').expect(404);
      await attaches(build, 'Demo-arm64.AppImage');
      expect(await filesOf(key, 'latest-linux.yml')).toEqual(['Demo.AppImage']);
      expect(await filesOf(key, 'latest-linux-arm64.yml')).toEqual(['Demo-arm64.AppImage']);
      await get(key, 'latest-linux-mips.yml').expect(404);
      // red when: the app of a prerelease on ARM, or of a prerelease with a hyphen in its name, gets no updates
      expect(await filesOf(key, 'beta-linux-arm64.yml')).toEqual(['Demo-arm64.AppImage']);
      expect(await filesOf(key, 'pre-release-linux.yml')).toEqual(['Demo.AppImage']);
      await get(key, 'beta-linux-mips.yml').expect(404);
    });

    it('give Tauri the signed file of its architecture, and Squirrel that of the stated one', async () => {
      const key = await newKey('macos');
      const build = await uploads('macos', 'Demo_universal.zip');
      await attaches(build, 'Demo_aarch64.zip', { signature: 'QUFB' });
      await attaches(build, 'Demo_x64.zip', { signature: 'QkJC' });
      const tauri = async (arch: string) =>
        (await get(key, `tauri/darwin/${arch}/0.9.0`).expect(200)).body as { url: string; signature: string };
      expect(await tauri('aarch64')).toMatchObject({ signature: 'QUFB', url: expect.stringMatching(/_aarch64\.zip$/) });
      expect(await tauri('x86_64')).toMatchObject({ signature: 'QkJC', url: expect.stringMatching(/_x64\.zip$/) });
      await get(key, 'tauri/darwin/i686/0.9.0').expect(404);
      const { body } = await get(key, 'squirrel?version=0.9.0&arch=arm64').expect(200);
      expect((body as { url: string }).url).toMatch(/_aarch64\.zip$/);
    });

    it('give Sparkle an item for Apple silicon before that for all Macs', async () => {
      const key = await newKey('macos');
      const build = await uploads('macos', 'Demo.dmg');
      await attaches(build, 'Demo-arm64.zip', { signature: 'QUFB' });
      const { text } = await get(key, 'appcast.xml').buffer(true).expect(200);
      expect(await xpath(text, '//item[1]/*[local-name() = "hardwareRequirements"]')).toBe('arm64');
      expect(await xpath(text, '//item[1]/enclosure/@*[local-name() = "edSignature"]')).toBe('QUFB');
      expect(await xpath(text, '//item[2]/enclosure/@url')).toMatch(/Demo\.dmg$/);
      expect(await xpath(text, 'count(//item)')).toBe('2');
    });

    // red when: a key opens files that are not for updaters, or another version than the current one; a block map is sent without a ticket
    it('open packages of the current build only, and block maps of earlier versions too, each by a ticket', async () => {
      const key = await newKey('macos');
      const blockmap = gzipSync('{"version":"2","files":[]}');
      for (const version of ['1.0.0', '1.0.1']) {
        const build = await uploads('macos', `Demo-${version}.dmg`, version);
        await attaches(build, `Demo-${version}.zip`);
        const map = { bytes: blockmap, fileName: `Demo-${version}.zip.blockmap` };
        await ann.attaches(desk, build, map, { kind: 'blockmap' });
        await attaches(build, 'symbols.zip', { kind: 'dsym' });
      }
      const file = (version: string, name: string) => get(key, `files/${version}/${name}`);
      await file('1.0.1', 'Demo-1.0.1.zip').expect(302);
      await file('1.0.1', 'Demo-1.0.1.dmg').expect(302);
      await file('1.0.0', 'Demo-1.0.0.zip').expect(404);
      await file('1.0.0', 'Demo-1.0.0.dmg').expect(404);
      await file('1.0.1', 'symbols.zip').expect(404);
      await file('1.0.2', 'Demo-1.0.1.zip').expect(404);
      for (const version of ['1.0.0', '1.0.1']) {
        const { headers } = await file(version, `Demo-${version}.zip.blockmap`).expect(302);
        const { pathname } = new URL(headers.location!);
        const { body } = await app.anonymous.get(pathname).buffer(true).expect(200);
        expect(Buffer.compare(body as Buffer, blockmap)).toBe(0);
      }
      await file('1.0.0', 'Demo-1.0.1.zip.blockmap').expect(404);
      await app.anonymous.head(`/updates/${key}/files/1.0.0/Demo-1.0.0.zip.blockmap`).expect(200);
      const tickets = await app.sql('SELECT id FROM download_ticket WHERE project_id = $1', [desk.id]);
      expect(tickets).toHaveLength(4);
      const other = await newKey('windows');
      await get(other, 'files/1.0.0/Demo-1.0.0.zip.blockmap').expect(404);
    });
  });
});
