import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { AppImageUpdater, type AppUpdater, MacUpdater, NsisUpdater } from 'electron-updater';
import { type AppAdapter } from 'electron-updater/out/AppAdapter';
import { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor';

export interface ElectronAppOptions {
  readonly platform: 'windows' | 'linux' | 'macos';
  /** The folder of its downloads. */
  readonly directory: string;
  /** The installed version. */
  readonly version: string;
  /** The address of the update key. */
  readonly feedUrl: string;
  /** Whether the network changes a byte of every file. */
  readonly tampered?: boolean;
  /** The channel that electron-builder derives from a prerelease version. */
  readonly channel?: string;
  /** The file from which the app was installed. With it, the updater downloads only what differs, and fails if it cannot. */
  readonly installedFrom?: Buffer;
}

/** `file`: the name under which the updater keeps the file from which the app was installed. */
const PLATFORMS = {
  windows: {
    create: (adapter: AppAdapter) => new NsisUpdater(undefined, adapter),
    name: 'win32',
    file: 'installer.exe',
  },
  linux: {
    create: (adapter: AppAdapter) => new AppImageUpdater(undefined, adapter),
    name: 'linux',
    file: 'installer.AppImage',
  },
  macos: { create: macUpdater, name: 'darwin', file: 'update.zip' },
} as const;

/** Electron's own updater, which installs what `MacUpdater` has downloaded. */
const NATIVE_UPDATER = { on: () => undefined, removeListener: () => undefined, setFeedURL: () => undefined };

/** `MacUpdater` without its constructor, which loads Electron. */
function macUpdater(adapter: AppAdapter): AppUpdater {
  const AppUpdaterClass = Object.getPrototypeOf(MacUpdater) as new () => AppUpdater;
  const updater = Reflect.construct(AppUpdaterClass, [undefined, adapter], MacUpdater) as AppUpdater;
  return Object.assign(updater, { nativeUpdater: NATIVE_UPDATER, squirrelDownloadedUpdate: false });
}

/** `MacUpdater` keeps a server open, from which Electron's own updater would fetch the file. */
export const endElectronApp = (updater: AppUpdater): void =>
  (updater as { closeServerIfExists?: () => void }).closeServerIfExists?.();

/** Its logger, which prints otherwise. */
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * The updater of an installed Electron app: the published electron-updater with the file that electron-builder puts into the app. Only
 * Electron itself is replaced, by Node's HTTP client and an adapter.
 */
export async function electronApp({
  platform,
  directory,
  version,
  feedUrl,
  tampered = false,
  channel,
  installedFrom,
}: ElectronAppOptions): Promise<AppUpdater> {
  const folder = await mkdtemp(join(directory, 'electron-app-'));
  const config = join(folder, 'app-update.yml');
  await writeFile(
    config,
    `provider: generic\nurl: ${feedUrl}\nupdaterCacheDirName: demo-updater\n${channel ? `channel: ${channel}\n` : ''}`,
  );
  const adapter: AppAdapter = {
    version,
    name: 'demo',
    isPackaged: true,
    appUpdateConfigPath: config,
    userDataPath: folder,
    baseCachePath: folder,
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: () => undefined,
  };
  // Read by electron-updater: the architecture and the file of the running app.
  process.env['TEST_UPDATER_ARCH'] = 'x64';
  process.env['APPIMAGE'] = config;
  const { create, name, file } = PLATFORMS[platform];
  const updater: AppUpdater & { disableWebInstaller?: boolean } = create(adapter);
  const isUseDifferentialDownload = installedFrom !== undefined;
  if (installedFrom) {
    await mkdir(join(folder, 'demo-updater'));
    await writeFile(join(folder, 'demo-updater', file), installedFrom);
  }
  const _testOnlyOptions = { platform: name, isUseDifferentialDownload };
  Object.assign(updater, { httpExecutor: new NodeExecutor(tampered), _testOnlyOptions });
  updater.autoInstallOnAppQuit = false;
  updater.logger = SILENT;
  updater.autoDownload = false;
  updater.disableWebInstaller = true;
  return updater;
}

interface ElectronRequest extends RequestOptions {
  readonly redirect?: 'manual';
}

/** Sends the requests of electron-updater by Node instead of Chromium. */
class NodeExecutor extends ElectronHttpExecutor {
  constructor(private readonly tampered: boolean) {
    super();
  }

  override createRequest(options: ElectronRequest, callback: (response: unknown) => void): never {
    const request: ClientRequest = http.request(options, (response) => {
      // Electron follows redirects itself, unless the updater does.
      if (response.headers.location !== undefined && options.redirect !== 'manual') {
        response.resume();
        http.get(response.headers.location, { headers: options.headers ?? {} }, callback);
        return;
      }
      const isFile = response.statusCode === 200 && response.headers['content-disposition'] !== undefined;
      callback(isFile && this.tampered ? withChangedByte(response) : response);
    });
    return request as never;
  }
}

function withChangedByte(response: IncomingMessage): Transform {
  let isFirst = true;
  const changing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const changed = Buffer.from(chunk);
      if (isFirst) changed[0] = (changed[0] ?? 0) ^ 1;
      isFirst = false;
      done(null, changed);
    },
  });
  const { statusCode, headers } = response;
  return Object.assign(response.pipe(changing), { statusCode, headers });
}
