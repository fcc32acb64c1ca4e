import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { type AppUpdater } from 'electron-updater';
import {
  type AttachmentJson,
  type BuildJson,
  type Developer,
  type ProjectRef,
  scope,
  type UploadFile,
} from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { type ReachableApp, startReachableApp } from '../../support/app/reachable-app';
import { electronApp, endElectronApp } from '../../support/checks/electron-app';

jest.setTimeout(120_000);

const MIB = 1024 * 1024;
const BLOCK_BYTES = 16 * 1024;

/** A block map as electron-builder writes it, with blocks of one size. */
function blockmap(bytes: Buffer): Buffer {
  const checksums: string[] = [];
  const sizes: number[] = [];
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    const block = bytes.subarray(at, at + BLOCK_BYTES);
    checksums.push(createHash('sha256').update(block).digest('base64').slice(0, 24));
    sizes.push(block.length);
  }
  return gzipSync(JSON.stringify({ version: '2', files: [{ name: 'file', offset: 0, checksums, sizes }] }));
}

/** Changes one byte in each of `count` blocks that are not neighbours. */
function changed(bytes: Buffer, count: number): Buffer {
  const copy = Buffer.from(bytes);
  const step = Math.floor(bytes.length / count / BLOCK_BYTES) * BLOCK_BYTES;
  for (let n = 0; n < count; n += 1) copy[n * step + 100] = (copy[n * step + 100] ?? 0) ^ 1;
  return copy;
}

const zip = (sizeBytes: number): Buffer => Buffer.concat([Buffer.from('PK'), randomBytes(sizeBytes - 2)]);

describe('electron-updater and attachments', () => {
  let app: ReachableApp;
  let ann: Developer;
  let project: ProjectRef;
  let feedUrl: string;
  beforeAll(async () => {
    app = await startReachableApp();
    ann = await verifiedDeveloper(app);
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    project = await ann.createsProject(await ann.createsOrganization());
  });

  const keyOf = async (platform: string): Promise<void> => {
    const { body } = await ann.post(`/update-keys?${scope(project)}`, { platform }).expect(201);
    feedUrl = (body as { url: string }).url;
  };
  const attaches = (build: BuildJson, file: UploadFile, kind = 'update'): Promise<AttachmentJson> =>
    ann.attaches(project, build, file, { kind });
  /** The bytes of packages, without those of block maps. */
  const servedBytes = async (): Promise<number> => {
    const [row] = await app.sql<{ bytes: string }>(
      `SELECT coalesce(sum(t.served_bytes), 0) AS bytes
       FROM download_ticket t LEFT JOIN attachment a ON a.id = t.attachment_id
       WHERE t.project_id = $1 AND a.kind IS DISTINCT FROM 'blockmap'`,
      [project.id],
    );
    return Number(row!.bytes);
  };
  const downloaded = async (updater: AppUpdater): Promise<Buffer> => {
    expect((await updater.checkForUpdates())?.isUpdateAvailable).toBe(true);
    return fetched(updater);
  };
  const fetched = async (updater: AppUpdater): Promise<Buffer> => {
    const [file] = await updater.downloadUpdate();
    endElectronApp(updater);
    return readFile(file!);
  };

  describe('on macOS', () => {
    const upload = (version: string) =>
      ann.uploads(
        project,
        { bytes: Buffer.from('the disk image'), fileName: `Demo-${version}.dmg` },
        { platform: 'macos', version },
      );
    const installed = (version: string, installedFrom?: Buffer) =>
      electronApp({
        platform: 'macos',
        directory: app.dataDirectory,
        version,
        feedUrl,
        ...(installedFrom && { installedFrom }),
      });
    const ofThisMachine = Object.getOwnPropertyDescriptor(process, 'arch')!;
    const macOf = (arch: 'x64' | 'arm64') => Object.defineProperty(process, 'arch', { ...ofThisMachine, value: arch });
    beforeEach(() => keyOf('macos'));
    afterEach(() => void Object.defineProperty(process, 'arch', ofThisMachine));

    // red when: the feed names the disk image, or the file of the other architecture
    it.each(['x64', 'arm64'] as const)('takes the .zip for %s beside a .dmg', async (arch) => {
      const build = await upload('1.0.1');
      const [intel, silicon] = [zip(300_000), zip(300_000)];
      await attaches(build, { bytes: silicon, fileName: 'Demo-1.0.1-arm64-mac.zip' });
      await attaches(build, { bytes: intel, fileName: 'Demo-1.0.1-mac.zip' });
      macOf(arch);
      const bytes = await downloaded(await installed('1.0.0'));
      expect(bytes.equals(arch === 'x64' ? intel : silicon)).toBe(true);
    });

    // red when: the address does not show the architecture that was only stated
    it('finds the file for Apple silicon by the stated architecture, and one for all Macs without it', async () => {
      const build = await upload('1.0.1');
      const [all, silicon] = [zip(1000), zip(1000)];
      await attaches(build, { bytes: all, fileName: 'Demo.zip' });
      await ann.attaches(
        project,
        build,
        { bytes: silicon, fileName: 'Silicon.zip' },
        { kind: 'update', arch: 'arm64' },
      );
      macOf('arm64');
      expect((await downloaded(await installed('1.0.0'))).equals(silicon)).toBe(true);
      macOf('x64');
      expect((await downloaded(await installed('1.0.0'))).equals(all)).toBe(true);
    });

    // red when: several ranges are the whole file, or the block map of the old version has no address
    it('downloads 1 % of a file of 60 MB that differs in 1 %, by the block maps of both versions', async () => {
      const old = zip(60 * MIB);
      const current = changed(old, 38);
      for (const [version, bytes] of [
        ['1.0.0', old],
        ['1.0.1', current],
      ] as const) {
        const build = await upload(version);
        await attaches(build, { bytes, fileName: `Demo-${version}-mac.zip` });
        await attaches(build, { bytes: blockmap(bytes), fileName: `Demo-${version}-mac.zip.blockmap` }, 'blockmap');
      }
      const bytes = await downloaded(await installed('1.0.0', old));
      expect(bytes.equals(current)).toBe(true);
      expect(await servedBytes()).toBe(38 * BLOCK_BYTES);
    });

    // red when: a missing block map is an error for the updater in another form than 404
    it('downloads the whole file when the old block map is gone', async () => {
      const [old, current] = [zip(MIB), zip(MIB)];
      const build = await upload('1.0.1');
      await attaches(build, { bytes: current, fileName: 'Demo-1.0.1-mac.zip' });
      await attaches(build, { bytes: blockmap(current), fileName: 'Demo-1.0.1-mac.zip.blockmap' }, 'blockmap');
      const updater = await installed('1.0.0', old);
      await updater.checkForUpdates();
      // The updater throws the errors of a download of differences only in tests.
      Object.assign(updater, { _testOnlyOptions: null });
      expect((await fetched(updater)).equals(current)).toBe(true);
      expect(await servedBytes()).toBe(MIB);
    });

    it('downloads the whole file when it differs in more than 200 places', async () => {
      const old = zip(12 * MIB);
      const current = changed(old, 201);
      for (const [version, bytes] of [
        ['1.0.0', old],
        ['1.0.1', current],
      ] as const) {
        const build = await upload(version);
        await attaches(build, { bytes, fileName: `Demo-${version}.zip` });
        await attaches(build, { bytes: blockmap(bytes), fileName: `Demo-${version}.zip.blockmap` }, 'blockmap');
      }
      const updater = await installed('1.0.0', old);
      await updater.checkForUpdates();
      Object.assign(updater, { _testOnlyOptions: null });
      expect((await fetched(updater)).equals(current)).toBe(true);
    });
  });

  it('downloads the difference of a Windows installer that is the artifact of its build', async () => {
    await keyOf('windows');
    const old = randomBytes(2 * MIB);
    const current = changed(old, 3);
    for (const [version, bytes] of [
      ['1.0.0', old],
      ['1.0.1', current],
    ] as const) {
      const fileName = `Demo Setup ${version}.exe`;
      const build = await ann.uploads(project, { bytes, fileName }, { platform: 'windows', version });
      await attaches(build, { bytes: blockmap(bytes), fileName: `${fileName}.blockmap` }, 'blockmap');
    }
    const directory = app.dataDirectory;
    const updater = await electronApp({
      platform: 'windows',
      directory,
      version: '1.0.0',
      feedUrl,
      installedFrom: old,
    });
    expect((await downloaded(updater)).equals(current)).toBe(true);
    expect(await servedBytes()).toBe(3 * BLOCK_BYTES);
  });
});
