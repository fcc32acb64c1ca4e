import { deflateRawSync, gzipSync } from 'node:zlib';
import { type ArtifactSource } from '../artifact-source';
import { LIMITS } from '../limits/limits';
import { executable, fatExecutable } from '../../../../test/support/artifacts/macho-writer';
import { sliceOffsets, uuidsOf } from './macho-uuids';
import { sliceHeads } from './slice-heads';

const MIB = 1024 * 1024;
const ARM = '0a1b2c3d-0000-4000-8000-1234567890ab';
const INTEL = '11111111-2222-3333-4444-555555555555';
/** Half of the data can be packed, as in real code. */
const code = (bytes: number): Buffer => {
  const filler = Buffer.alloc(bytes, 'code ');
  for (let at = 0, seed = 1; at < bytes; at += 2) filler[at] = (seed = (seed * 48_271) % 2_147_483_647) & 0xff;
  return filler;
};
const large = (uuid: string, bytes: number): Buffer => Buffer.concat([executable(uuid), code(bytes)]);

describe('sliceHeads', () => {
  let fetched = 0;
  const sourceOf = (bytes: Buffer): ArtifactSource => ({
    sizeBytes: bytes.length,
    read: (offset, length) => {
      fetched += length;
      return Promise.resolve(bytes.subarray(offset, offset + length));
    },
  });
  const uuids = async (fat: Buffer, data: Buffer = deflateRawSync(fat, { level: 1 }), isPacked = true) => {
    fetched = 0;
    const file = { offset: 5, compressedBytes: data.length, isPacked };
    const archive = Buffer.concat([Buffer.alloc(5), data, Buffer.alloc(5)]);
    return uuidsOf(await sliceHeads(sourceOf(archive), file, sliceOffsets(fat)));
  };

  // red when: an architecture behind the first block of the packed data is not found
  it('reads the architectures of a large packed executable', async () => {
    const fat = fatExecutable([large(ARM, 3 * MIB), large(INTEL, MIB), executable(ARM)]);
    expect(await uuids(fat)).toEqual([ARM, INTEL, ARM]);
  });

  // red when: the whole duration of a stall counts as work
  it('reads the architectures although the process stalls once', async () => {
    const fat = fatExecutable([large(ARM, 3 * MIB), large(INTEL, MIB), executable(ARM)]);
    const now = performance.now.bind(performance);
    let calls = 0;
    const stalled = jest.spyOn(performance, 'now').mockImplementation(() => now() + (calls++ > 0 ? 10_000 : 0));
    const found = await uuids(fat);
    stalled.mockRestore();
    expect(found).toEqual([ARM, INTEL, ARM]);
    expect(calls).toBeGreaterThan(3);
  });

  it('reads only the starts of the architectures of a stored executable', async () => {
    const fat = fatExecutable([large(ARM, 3 * MIB), executable(INTEL)]);
    expect(await uuids(fat, fat, false)).toEqual([ARM, INTEL]);
    expect(fetched).toBeLessThan(3 * MIB);
  });

  // red when: the file is read to its end
  it('stops after the last start', async () => {
    const fat = fatExecutable([executable(ARM), large(INTEL, 6 * MIB)]);
    expect(await uuids(fat)).toEqual([ARM, INTEL]);
    expect(fetched).toBeLessThanOrEqual(2 * MIB);
  });

  // red when: the budget is not checked before the data is read
  it('reads nothing of an executable whose architectures start beyond the budget', async () => {
    const fat = fatExecutable([executable(ARM), executable(INTEL)]);
    fat.writeUInt32BE(LIMITS.fatExecutableBytes, 8 + 20 + 8);
    expect(await uuids(fat)).toEqual([]);
    expect(fetched).toBe(0);
  });

  it('reads none from damaged and hostile data', async () => {
    const fat = fatExecutable([large(ARM, 3 * MIB), executable(INTEL)]);
    const packed = deflateRawSync(fat);
    expect(await uuids(fat, packed.subarray(0, packed.length / 2))).toEqual([]);
    expect(await uuids(fat, gzipSync(fat))).toEqual([]);
    const broken = Buffer.from(packed);
    broken.fill(0xff, 2 * MIB > packed.length ? 100 : 2 * MIB);
    expect(await uuids(fat, broken)).toEqual([]);
    // A decompression bomb: 63 MiB of zeros in 64 kB. The second architecture is at its end.
    const bomb = fatExecutable([Buffer.concat([executable(ARM), Buffer.alloc(60 * MIB)]), Buffer.alloc(MIB)]);
    expect(await uuids(bomb)).toEqual([]);
    const beyond = Buffer.from(fat);
    beyond.writeUInt32BE(fat.length + 1000, 8 + 20 + 8);
    expect(await uuids(beyond)).toEqual([]);
    expect(await uuids(beyond, beyond, false)).toEqual([]);
  });
});
