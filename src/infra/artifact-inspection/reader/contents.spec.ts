import { type ZipEntry } from '../formats/zip/zip-archive';
import { androidContents, iosContents } from './contents';

const entry = (name: string, compressedBytes: number): ZipEntry => ({
  name: Buffer.from(name).toString('latin1'),
  sizeBytes: compressedBytes,
  compressedBytes,
  method: 0,
  crc: 0,
  encrypted: false,
  symlink: false,
  headerOffset: 0,
});

describe('the contents of an app', () => {
  it('are the sizes of an Android app by kind, and its files', () => {
    const entries = [
      entry('classes.dex', 10),
      entry('lib/x86/liba.so', 20),
      entry('res/a.png', 3),
      entry('resources.arsc', 4),
      entry('assets/ü.bin', 50),
      entry('assets/', 0),
      entry('AndroidManifest.xml', 1),
    ];
    const contents = androidContents(entries);
    expect(contents).toMatchObject({
      fileCount: 6,
      sizes: { code: 10, native: 20, resources: 7, assets: 50, other: 1 },
    });
    expect(contents.files.slice(0, 2)).toEqual([
      { path: 'assets/ü.bin', sizeBytes: 50 },
      { path: 'lib/x86/liba.so', sizeBytes: 20 },
    ]);
  });

  it('are those of the app folder of an .ipa', () => {
    const files = [
      'Demo',
      'Frameworks/A.framework/A',
      'PlugIns/B.appex/B',
      'Assets.car',
      'en.lproj/a.strings',
      'a.bin',
    ];
    const entries = [...files.map((name) => entry(`Payload/Demo.app/${name}`, 2)), entry('SwiftSupport/lib', 9)];
    expect(iosContents(entries, 'Payload/Demo.app/')).toMatchObject({
      fileCount: 6,
      sizes: { code: 2, frameworks: 2, plugins: 2, assets: 2, resources: 2, other: 2 },
    });
  });

  it('have at most the 300 largest files, with the ends of long paths', () => {
    const many = Array.from({ length: 1000 }, (_, at) => entry(`assets/${at}/${'x'.repeat(200)}.bin`, at));
    const { files, fileCount } = androidContents(many);
    expect([files.length, fileCount, files[0]?.sizeBytes, files[0]?.path.length]).toEqual([300, 1000, 999, 150]);
    expect(JSON.stringify(files).length).toBeLessThan(64_000);
  });
});
