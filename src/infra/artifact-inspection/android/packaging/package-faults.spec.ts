import { AppError } from '#kernel/errors/app-error';
import { type ElementInput, resourceTable } from '../../../../../test/support/artifacts/android-writer';
import { BufferSource } from '../../../../../test/support/artifacts/buffer-source';
import { elf } from '../../../../../test/support/artifacts/elf-writer';
import { type AndroidOptions, apk, RESOURCE } from '../../../../../test/support/artifacts/valid-artifacts';
import { type ZipFile } from '../../../../../test/support/artifacts/zip-writer';
import { type InspectedAndroid } from '../../inspected-artifact';
import { readArtifact } from '../../reader/artifact-reader';

const PAGE = 4096;
const LARGE_PAGE = 16_384;

const inspect = async (options: AndroidOptions): Promise<InspectedAndroid> =>
  (await readArtifact(new BufferSource(apk(options)), 'demo.apk')) as InspectedAndroid;
const faultsOf = async (options: AndroidOptions) => (await inspect(options)).faults;

const library = (abi: string, file: Partial<ZipFile> = {}): ZipFile => ({
  name: `lib/${abi}/libdemo.so`,
  data: elf([BigInt(LARGE_PAGE)]),
  method: 0,
  align: LARGE_PAGE,
  ...file,
});
const inPackage = (...files: readonly ZipFile[]): AndroidOptions => ({ extractNativeLibs: false, files });

describe('the faults of a package', () => {
  it('are none for a correct one', async () => {
    expect(await faultsOf(inPackage(library('arm64-v8a'), library('x86', { align: PAGE })))).toEqual([]);
  });

  it.each<[string, AndroidOptions, object]>([
    ['a compressed resource table', { resourcesFile: { method: 8 } }, { code: 'resources_compressed', subject: null }],
    [
      'a resource table at an odd offset',
      { resourcesFile: { misalign: 2 } },
      { code: 'resources_unaligned', subject: null },
    ],
    ['the flag of a split app', { isSplitRequired: true }, { code: 'splits_missing', subject: null }],
    ['the types of required splits', { requiredSplitTypes: 'base__abi' }, { code: 'splits_missing', subject: null }],
    [
      'a compressed library',
      inPackage(library('arm64-v8a', { method: 8 })),
      { code: 'libraries_compressed', subject: 'lib/arm64-v8a/libdemo.so', abis: ['arm64-v8a'] },
    ],
    [
      'a library between pages',
      inPackage(library('x86'), library('armeabi-v7a', { misalign: 4 })),
      { code: 'libraries_unaligned', subject: 'lib/armeabi-v7a/libdemo.so', abis: ['armeabi-v7a'] },
    ],
    [
      'a 64-bit library on small pages',
      inPackage(library('x86_64'), library('arm64-v8a', { misalign: PAGE })),
      { code: 'libraries_on_small_pages', subject: 'lib/arm64-v8a/libdemo.so', abis: ['arm64-v8a'] },
    ],
    [
      'a 64-bit library of small pages',
      { files: [library('x86_64'), library('arm64-v8a', { data: elf([65_536n, 4096n]), method: 8 })] },
      { code: 'libraries_of_small_pages', subject: 'lib/arm64-v8a/libdemo.so', abis: ['arm64-v8a'] },
    ],
    ['the code name of a preview', { targetSdk: 'Cinnamon' }, { code: 'preview_sdk', subject: 'Cinnamon' }],
  ])('contain %s', async (_, options, fault) => {
    expect(await faultsOf(options)).toEqual([fault]);
  });

  it.each<[string, AndroidOptions]>([
    ['libraries that devices unpack', { files: [library('arm64-v8a', { method: 8 })] }],
    ['a flag that is true', { extractNativeLibs: true, files: [library('arm64-v8a', { method: 8 })] }],
    [
      'a flag whose resource does not exist',
      { extractNativeLibs: { reference: RESOURCE.flag }, files: [library('arm64-v8a', { method: 8 })] },
    ],
    ['files that devices do not load', inPackage(library('arm64-v8a', { name: 'lib/arm64-v8a/notes.txt', method: 8 }))],
    ['files in subfolders', inPackage(library('x86', { name: 'lib/x86/more/libdemo.so', method: 8 }))],
    ['32-bit libraries of small pages', { files: [library('x86', { data: elf([4096n], { class: 1 }) })] }],
    ['files that are no libraries', { files: [library('arm64-v8a', { data: 'so' })] }],
    [
      'the headers of a library outside of its start',
      { files: [library('arm64-v8a', { data: elf([]).subarray(0, 70) })] },
    ],
    ['empty types of required splits', { requiredSplitTypes: ' ' }],
  ])('do not contain %s', async (_, options) => {
    expect(await faultsOf(options)).toEqual([]);
  });

  it('resolve the flag of native libraries', async () => {
    const resources = resourceTable([{ id: RESOURCE.flag, value: false }]);
    const files = [library('arm64-v8a', { method: 8 })];
    const found = await faultsOf({ resources, extractNativeLibs: { reference: RESOURCE.flag }, files });
    expect(found).toMatchObject([{ code: 'libraries_compressed' }]);
  });
});

const named = (value: string) => ({ name: 'name', id: 0x01010003, value });
const filter = (...children: readonly ElementInput[]): ElementInput => ({ name: 'intent-filter', children });
const action: ElementInput = { name: 'action', attributes: [named('android.intent.action.VIEW')] };
const exported = { name: 'exported', id: 0x01010010, value: false };

describe('a component without android:exported', () => {
  const componentOf = async (...components: readonly ElementInput[]): Promise<string | null | undefined> =>
    (await faultsOf({ components }))?.[0]?.subject;

  it.each(['activity', 'activity-alias', 'service', 'receiver'])(
    'is found when it is a %s with a filter',
    async (name) => {
      const good = { name, attributes: [named('.Good'), exported], children: [filter(action)] };
      expect(await componentOf(good, { name, attributes: [named('.Bad')], children: [filter(action)] })).toBe('.Bad');
    },
  );

  it('is found when it is a service whose filter has no action', async () => {
    expect(await componentOf({ name: 'service', children: [filter()] })).toBe('service');
  });

  it.each<[string, ElementInput]>([
    ['has no filter', { name: 'activity', attributes: [named('.Main')], children: [{ name: 'meta-data' }] }],
    ['is an activity whose filter has no action', { name: 'activity', children: [filter({ name: 'data' })] }],
    ['is a provider', { name: 'provider', children: [filter(action)] }],
    ['has the action elsewhere', { name: 'activity', children: [filter(), { name: 'meta-data', children: [action] }] }],
    [
      'has a flag in a resource',
      {
        name: 'activity',
        attributes: [{ ...exported, value: { reference: RESOURCE.flag } }],
        children: [filter(action)],
      },
    ],
  ])('is not found when it %s', async (_, component) => {
    expect(await faultsOf({ components: [component] })).toEqual([]);
  });
});

describe('the reading of native libraries', () => {
  const many = (count: number, abi: string, file: Partial<ZipFile> = {}): ZipFile[] =>
    Array.from({ length: count }, (_, at) => library(abi, { ...file, name: `lib/${abi}/lib${at}.so` }));

  /** Reads an unsigned package. @returns its faults, and the number and bytes of reads. */
  async function read(options: AndroidOptions, fail?: (length: number) => Error | undefined) {
    const source = new BufferSource(apk({ ...options, schemes: [] }));
    let bytes = 0;
    const counting = {
      sizeBytes: source.sizeBytes,
      read: async (offset: number, length: number) => {
        bytes += length;
        const error = fail?.(length);
        if (error) throw error;
        return source.read(offset, length);
      },
    };
    const { faults } = (await readArtifact(counting, 'demo.apk')) as InspectedAndroid;
    return { faults, bytes, reads: source.reads };
  }

  // red when: a large block of the archive is read for each library, or every library is read
  it('is limited in bytes and count', async () => {
    const data = Buffer.concat([elf([BigInt(LARGE_PAGE)]), Buffer.alloc(150_000, 1)]);
    const { faults, bytes } = await read(inPackage(...many(200, 'arm64-v8a', { data, misalign: 4 })));
    expect(faults).toMatchObject([{ code: 'libraries_unaligned' }]);
    expect(bytes).toBeLessThan(3_000_000);
  });

  it('needs no read for aligned libraries that are loaded from the package', async () => {
    const [few, all] = await Promise.all([2, 300].map((count) => read(inPackage(...many(count, 'x86')))));
    expect(all?.faults).toEqual([]);
    expect((all?.reads ?? 0) - (few?.reads ?? 0)).toBeLessThan(5);
  });

  it.each<[string, Partial<ZipFile>]>([
    ['damaged data', { method: 8, compressed: Buffer.from('not deflated at all') }],
    ['an unknown compression', { method: 12 }],
    ['a header outside the archive', { lies: { headerOffset: 0x7ffffff0 } }],
  ])('ignores a library with %s', async (_, file) => {
    expect((await read({ files: [library('arm64-v8a', file)] })).faults).toEqual([]);
  });

  it('fails with the store', async () => {
    const unavailable = (length: number) => (length === PAGE ? new AppError('storage_backend_unavailable') : undefined);
    const files = [
      library('arm64-v8a', { misalign: 4 }),
      { name: 'assets/a', data: Buffer.alloc(1_000_000), method: 0 },
    ];
    await expect(read(inPackage(...files), unavailable)).rejects.toMatchObject({
      errorCase: 'storage_backend_unavailable',
    });
  });
});
