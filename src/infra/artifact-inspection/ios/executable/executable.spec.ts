import { deflateRawSync, gzipSync } from 'node:zlib';
import { executable, fatExecutable } from '../../../../../test/support/artifacts/macho-writer';
import { type ArtifactSource } from '../../artifact-source';
import { type ZipEntry } from '../../formats/zip/zip-archive';
import { LIMITS } from '../../limits/limits';
import { type Executable, ExecutableReader, uuidsOf } from './executable';

const MIB = 1024 * 1024;
const ARM = '0a1b2c3d-0000-4000-8000-1234567890ab';
const INTEL = '11111111-2222-3333-4444-555555555555';
const SIGNATURE = Buffer.from('a signature');
/** Half of the data can be packed, as in real code. */
const code = (bytes: number): Buffer => {
  const filler = Buffer.alloc(bytes, 'code ');
  for (let at = 0, seed = 1; at < bytes; at += 2) filler[at] = (seed = (seed * 48_271) % 2_147_483_647) & 0xff;
  return filler;
};
const large = (uuid: string, bytes: number): Buffer => executable(uuid, { code: code(bytes), signature: SIGNATURE });

describe('ExecutableReader', () => {
  let fetched = 0;
  const sourceOf = (bytes: Buffer): ArtifactSource => ({
    sizeBytes: bytes.length,
    read: (offset, length) => {
      fetched += length;
      return Promise.resolve(bytes.subarray(offset, offset + length));
    },
  });
  const HEADER = Buffer.alloc(30);
  /** An archive of files, and the entries of its directory. */
  function archiveOf(files: readonly { file: Buffer; data: Buffer; method: number }[]) {
    const entries = files.map(({ file, data, method }, index) => ({
      name: 'x',
      sizeBytes: file.length,
      compressedBytes: data.length,
      method,
      crc: 0,
      encrypted: false,
      symlink: false,
      headerOffset: files.slice(0, index).reduce((sum, each) => sum + HEADER.length + each.data.length, 0),
    }));
    const source = sourceOf(Buffer.concat(files.flatMap(({ data }) => [HEADER, data])));
    return { source, entries: entries as [ZipEntry, ...ZipEntry[]] };
  }
  async function read(
    file: Buffer,
    data: Buffer = deflateRawSync(file, { level: 1 }),
    method = 8,
  ): Promise<Executable> {
    fetched = 0;
    const { source, entries } = archiveOf([{ file, data, method }]);
    return new ExecutableReader(source, LIMITS.programBytes).read(entries[0]);
  }
  const signaturesOf = (slices: Executable) => slices.map(({ signature }) => signature?.toString());

  it.each([0, 8])('reads the architectures of a large executable and their signatures, method %s', async (method) => {
    const fat = fatExecutable([large(ARM, 3 * MIB), large(INTEL, MIB), executable(ARM)]);
    const slices = await read(fat, method === 0 ? fat : undefined, method);
    expect(uuidsOf(slices)).toEqual([ARM, INTEL, ARM]);
    expect(signaturesOf(slices)).toEqual(['a signature', 'a signature', undefined]);
  });

  it('reads the signature of a thin executable', async () => {
    const slices = await read(large(ARM, 3 * MIB));
    expect([uuidsOf(slices), signaturesOf(slices)]).toEqual([[ARM], ['a signature']]);
  });

  // red when: the whole duration of a stall counts as work
  it('reads the architectures although the process stalls once', async () => {
    const fat = fatExecutable([large(ARM, 3 * MIB), large(INTEL, MIB), executable(ARM)]);
    const now = performance.now.bind(performance);
    let calls = 0;
    const stalled = jest.spyOn(performance, 'now').mockImplementation(() => now() + (calls++ > 0 ? 10_000 : 0));
    const found = await read(fat);
    stalled.mockRestore();
    expect(uuidsOf(found)).toEqual([ARM, INTEL, ARM]);
    expect(calls).toBeGreaterThan(3);
  });

  it('reads only what it needs of a stored executable', async () => {
    const fat = fatExecutable([large(ARM, 5 * MIB), executable(INTEL)]);
    expect(uuidsOf(await read(fat, fat, 0))).toEqual([ARM, INTEL]);
    expect(fetched).toBeLessThan(4 * MIB);
  });

  // red when: the file is read to its end
  it('stops after the last part', async () => {
    const fat = Buffer.concat([fatExecutable([executable(ARM), executable(INTEL)]), code(6 * MIB)]);
    expect(uuidsOf(await read(fat))).toEqual([ARM, INTEL]);
    expect(fetched).toBeLessThanOrEqual(2 * MIB);
  });

  // red when: the limit is not checked before the data is unpacked
  it('reads only the heads of executables that are too large together', async () => {
    const file = large(ARM, LIMITS.programBytes / 2);
    const packed = { file, data: deflateRawSync(file, { level: 1 }), method: 8 };
    const { source, entries } = archiveOf([packed, packed]);
    const reader = new ExecutableReader(source, LIMITS.programBytes);
    expect(signaturesOf(await reader.read(entries[0]))).toEqual(['a signature']);
    fetched = 0;
    const second = await reader.read(entries[1]!);
    expect([uuidsOf(second), signaturesOf(second)]).toEqual([[ARM], [undefined]]);
    expect(fetched).toBeLessThanOrEqual(3 * MIB);
  });

  it.each([
    ['outside of the file', { signatureOffset: 0xfffffff0 }],
    ['larger than any', { signatureBytes: 0xfffffff0 }],
    ['at the start of the file', { signatureOffset: 0 }],
  ])('reads no signature that is said to be %s', async (_, lies) => {
    const file = executable(ARM, { code: code(MIB), signature: SIGNATURE, lies });
    const packed = await read(file);
    expect(uuidsOf(packed)).toEqual([ARM]);
    expect(packed[0]?.signature?.toString()).not.toBe('a signature');
    expect(uuidsOf(await read(file, file, 0))).toEqual([ARM]);
  });

  it('reads none from damaged and hostile data', async () => {
    const fat = fatExecutable([large(ARM, 3 * MIB), executable(INTEL)]);
    const packed = deflateRawSync(fat);
    expect(await read(fat, packed.subarray(0, packed.length / 2))).toEqual([]);
    expect(await read(fat, gzipSync(fat))).toEqual([]);
    const broken = Buffer.from(packed);
    broken.fill(0xff, 2 * MIB > packed.length ? 100 : 2 * MIB);
    expect(await read(fat, broken)).toEqual([]);
    // A decompression bomb: 47 MiB of zeros in 47 kB. The second architecture is at its end.
    const bomb = fatExecutable([executable(ARM, { code: Buffer.alloc(46 * MIB) }), Buffer.alloc(MIB)]);
    expect(await read(bomb)).toEqual([]);
    const beyond = Buffer.from(fat);
    beyond.writeUInt32BE(fat.length + 1000, 8 + 20 + 8);
    expect(await read(beyond)).toEqual([]);
    expect(await read(beyond, beyond, 0)).toEqual([]);
  });
});
