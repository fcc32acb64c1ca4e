import { readFile } from 'node:fs/promises';
import { type BuildJson, type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { ResumableClient } from '../../support/actors/resumable-client';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { type ReachableApp, startReachableApp } from '../../support/app/reachable-app';
import { electronApp } from '../../support/checks/electron-app';

type Desktop = 'windows' | 'linux';

const FILES = { windows: 'Demo Setup 1.10.0.exe', linux: 'Demo-1.10.0.AppImage' } as const;
const BYTES = Buffer.alloc(300_000, 'the app ');

describe('electron-updater', () => {
  let app: ReachableApp;
  let ann: Developer;
  let project: ProjectRef;
  const urls: Record<string, string> = {};
  const builds: Record<string, BuildJson> = {};
  beforeAll(async () => {
    app = await startReachableApp();
    ann = await verifiedDeveloper(app);
    project = await ann.createsProject(await ann.createsOrganization());
    for (const platform of ['windows', 'linux'] as const) {
      const { body } = await ann.post(`/update-keys?${scope(project)}`, { platform }).expect(201);
      urls[platform] = (body as { url: string }).url;
    }
    const fields = { version: '1.10.0', notes: 'New login' };
    const [windows, linux] = [FILES.windows, FILES.linux].map((fileName) => ({ bytes: BYTES, fileName }));
    builds['windows'] = await ann.uploads(project, windows!, { ...fields, platform: 'windows' });
    const resumable = await ResumableClient.start(ann, project, linux!, { ...fields, platform: 'linux' });
    await resumable.sendAll();
    builds['linux'] = await resumable.completes();
  });
  afterAll(() => app.stop());

  const appOf = (platform: Desktop, version: string) => ({
    platform,
    directory: app.dataDirectory,
    version,
    feedUrl: urls[platform]!,
  });
  const installed = (platform: Desktop, version: string, tampered = false) =>
    electronApp({ ...appOf(platform, version), tampered });
  const downloads = async (platform: Desktop): Promise<number> => {
    const { body } = await ann.get(`/builds/${builds[platform]!.id}?${scope(project)}`).expect(200);
    return (body as BuildJson & { downloads: { total: number } }).downloads.total;
  };

  // red when: the feed has no SHA-512, or one of another file or in hexadecimal with a line break
  it.each<Desktop>(['windows', 'linux'])(
    'on %s offers, downloads and verifies the build by its SHA-512, also of a resumable upload',
    async (platform) => {
      const updater = await installed(platform, '1.9.0');
      const found = await updater.checkForUpdates();
      expect(found).toMatchObject({
        isUpdateAvailable: true,
        updateInfo: { version: '1.10.0', releaseNotes: 'New login' },
      });
      expect(found?.updateInfo.files[0]?.sha512).toMatch(/^[A-Za-z0-9+/]{86}==$/);
      expect(await downloads(platform)).toBe(0);
      const [file] = await updater.downloadUpdate();
      expect(await readFile(file!)).toEqual(BYTES);
      expect(await downloads(platform)).toBe(1);
    },
  );

  it('offers nothing to an app that has the version or a later one', async () => {
    for (const version of ['1.10.0', '1.10.1', '1.11.0']) {
      const found = await (await installed('windows', version)).checkForUpdates();
      expect(found).toMatchObject({ isUpdateAvailable: false });
    }
  });

  // red when: the feed of the channel that electron-builder derives from the version is 404
  it.each<Desktop>(['windows', 'linux'])(
    'on %s offers the build to an app with a prerelease version',
    async (platform) => {
      const app = await electronApp({ ...appOf(platform, '1.10.0-beta.1'), channel: 'beta' });
      expect(await app.checkForUpdates()).toMatchObject({ isUpdateAvailable: true, updateInfo: { version: '1.10.0' } });
    },
  );

  // red when: the hash is left out of the feed, so that the file is accepted
  it.each<Desktop>(['windows', 'linux'])('on %s refuses a file with one changed byte', async (platform) => {
    const updater = await installed(platform, '1.9.0', true);
    await updater.checkForUpdates();
    await expect(updater.downloadUpdate()).rejects.toMatchObject({ code: 'ERR_CHECKSUM_MISMATCH' });
  });

  // red when: builds without a SHA-512 have no hash in the feed
  it('verifies builds of earlier releases by their SHA-256', async () => {
    await app.sql('UPDATE build SET sha512 = NULL WHERE id = $1', [builds['windows']!.id]);
    const updater = await installed('windows', '1.9.0');
    await updater.checkForUpdates();
    const [file] = await updater.downloadUpdate();
    expect(await readFile(file!)).toEqual(BYTES);
    const other = await installed('windows', '1.9.0', true);
    await other.checkForUpdates();
    await expect(other.downloadUpdate()).rejects.toMatchObject({ code: 'ERR_CHECKSUM_MISMATCH' });
  });
});
