import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { electronBuildIn } from './electron-build';

const FEED = `version: 1.4.0
files:
  - url: Demo-1.4.0-mac.zip
    sha512: abc
    size: 3
  - url: 'Demo-1.4.0-arm64-mac.zip'
    sha512: abc
    size: 3
  - url: Demo-1.4.0.dmg
    sha512: abc
    size: 3
path: Demo-1.4.0-mac.zip
sha512: abc
releaseDate: '2026-11-20T18:09:14.298Z'
`;

describe('The files that electron-builder has built', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'agate-electron-')));
    for (const name of [
      'Demo-1.4.0-mac.zip',
      'Demo-1.4.0-arm64-mac.zip',
      'Demo-1.4.0.dmg',
      'Demo-1.4.0-mac.zip.blockmap',
    ])
      writeFileSync(join(folder, name), 'x');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const feed = (text: string): void => writeFileSync(join(folder, 'latest-mac.yml'), text);
  const at = (name: string): string => join(folder, name);

  it('are the file for people, those for updaters, and the block maps that exist', () => {
    feed(FEED);
    expect(electronBuildIn(folder, 'macos')).toEqual({
      version: '1.4.0',
      artifact: at('Demo-1.4.0.dmg'),
      others: [at('Demo-1.4.0-mac.zip'), at('Demo-1.4.0-arm64-mac.zip'), at('Demo-1.4.0-mac.zip.blockmap')],
    });
  });

  it('are unknown without a feed for the platform', () => {
    feed(FEED);
    expect(electronBuildIn(folder, 'windows')).toBeNull();
    expect(electronBuildIn(folder, undefined)).toBeNull();
  });

  // red when: `rejectOutside` is not called
  it('are not outside of the folder', () => {
    writeFileSync(join(folder, '../secret.zip'), 'x');
    feed(FEED.replace('Demo-1.4.0-mac.zip', '../secret.zip'));
    expect(() => electronBuildIn(folder, 'macos')).toThrow('leads out of');
    rmSync(join(folder, '../secret.zip'));
  });

  it('need a version and a file', () => {
    feed('files: []\n');
    expect(() => electronBuildIn(folder, 'macos')).toThrow('latest-mac.yml names no version');
  });
});
