import { mkdtemp, writeFile } from 'node:fs/promises';
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { AppImageUpdater, type AppUpdater, NsisUpdater } from 'electron-updater';
import { type AppAdapter } from 'electron-updater/out/AppAdapter';
import { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor';

export interface ElectronAppOptions {
  readonly platform: 'windows' | 'linux';
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
}

const PLATFORMS = {
  windows: { Updater: NsisUpdater, name: 'win32' },
  linux: { Updater: AppImageUpdater, name: 'linux' },
} as const;

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
  const { Updater, name } = PLATFORMS[platform];
  const updater = new Updater(null, adapter);
  Object.assign(updater, { httpExecutor: new NodeExecutor(tampered), _testOnlyOptions: { platform: name } });
  updater.logger = SILENT;
  updater.autoDownload = false;
  updater.disableWebInstaller = true;
  return updater;
}

/** Sends the requests of electron-updater by Node instead of Chromium. */
class NodeExecutor extends ElectronHttpExecutor {
  constructor(private readonly tampered: boolean) {
    super();
  }

  override createRequest(options: RequestOptions, callback: (response: unknown) => void): never {
    const request: ClientRequest = http.request(options, (response) => {
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
