import { type Architecture } from '#modules/builds';
import { ANY_FILE, type BuildFiles, type FeedFile, type FeedNeed, filesFor, ZIP_OF_A_MAC_APP } from './feed-files';

const file = (fileName: string, arch: Architecture | null = null): FeedFile => ({
  url: '',
  versionedUrl: '',
  fileName,
  sizeBytes: 1,
  sha256: '',
  sha512: null,
  signature: null,
  arch,
});
const build = (artifact: FeedFile, ...updates: FeedFile[]): BuildFiles => ({ artifact, updates });
const names = (files: BuildFiles, need: FeedNeed): string[] => filesFor(files, need).map(({ fileName }) => fileName);

const linux = (arch: Architecture, exactly = false): FeedNeed => ({ accepts: /(?:)/, arch, exactly });

describe('filesFor', () => {
  // red when: the artifact is named although the updater cannot install it
  it('finds the .zip beside a .dmg, and nothing without one', () => {
    expect(names(build(file('a.dmg'), file('a.zip')), ZIP_OF_A_MAC_APP)).toEqual(['a.zip']);
    expect(names(build(file('a.dmg')), ZIP_OF_A_MAC_APP)).toEqual([]);
    expect(names(build(file('a.ZIP')), ZIP_OF_A_MAC_APP)).toEqual(['a.ZIP']);
  });

  it('lists the files of every architecture, with those for the widest use first', () => {
    const mac = build(file('a.dmg'), file('arm.zip', 'arm64'), file('old.zip', 'ia32'), file('intel.zip', 'x64'));
    expect(names(mac, ZIP_OF_A_MAC_APP)).toEqual(['intel.zip', 'old.zip', 'arm.zip']);
  });

  it('prefers an attachment to the artifact', () => {
    expect(names(build(file('portable.exe'), file('setup.exe')), ANY_FILE)).toEqual(['setup.exe', 'portable.exe']);
  });

  it('prefers the architecture of the app, and falls back to files for all and to the artifact', () => {
    const both = build(file('a.AppImage', 'x64'), file('arm.AppImage', 'arm64'), file('all.AppImage', 'universal'));
    expect(names(both, linux('arm64'))).toEqual(['arm.AppImage', 'all.AppImage', 'a.AppImage']);
    expect(names(both, linux('x64'))).toEqual(['a.AppImage', 'all.AppImage']);
    expect(names(both, linux('arm64', true))).toEqual(['arm.AppImage']);
    expect(names(build(file('a.AppImage')), linux('arm64', true))).toEqual([]);
  });
});
