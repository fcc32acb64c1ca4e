import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { LocalBlobStore } from '#infra/blob/local/local-blob-store';
import { until } from '../../../../test/support/until';
import { PartHashesService } from './part-hashes.service';
import { type OpenUpload, partsOf } from './resumable-upload';

const MIB = 1024 * 1024;
const BYTES = randomBytes(2 * MIB + 12_345);
const KEY = 'builds/a';
const UPLOAD = {
  id: 'a',
  fileName: 'Demo.dmg',
  sizeBytes: BYTES.length,
  partSizeBytes: MIB,
  draft: {},
  pending: { blob: { account: 'hosted', key: KEY } },
} as unknown as OpenUpload;
const PARTS = partsOf(UPLOAD);
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('PartHashesService', () => {
  let folder: string;
  let store: LocalBlobStore;
  let service: PartHashesService;
  /** The numbers of the parts that were read. */
  let read: number[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agate-hashes-'));
    store = new LocalBlobStore(folder);
    service = new PartHashesService();
    read = [];
    const scan = store.parts.scanPart.bind(store.parts);
    jest.spyOn(store.parts, 'scanPart').mockImplementation(async (key, part, onChunk) => {
      await scan(key, part, onChunk);
      read.push(part.partNumber);
    });
    await store.parts.begin(KEY);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const sends = async (number: number, bytes?: Buffer): Promise<void> => {
    const part = PARTS[number - 1]!;
    const body = bytes ?? BYTES.subarray(part.offset, part.offset + part.sizeBytes);
    await store.parts.writePart(KEY, 'local', part, Readable.from([body]));
    service.arrived(UPLOAD, part, store.parts);
  };
  const haveBeenRead = async (...numbers: number[]): Promise<void> => {
    await until(() => read.length >= numbers.length);
    expect(read).toEqual(numbers);
  };
  const completes = () => store.parts.complete(KEY, 'local', PARTS);

  // red when: parts are hashed in the order of their arrival
  it('hashes parts in the order of the file, each once all before it have arrived', async () => {
    await sends(3);
    await sends(1);
    await haveBeenRead(1);
    await sends(2);
    await haveBeenRead(1, 2, 3);
    const hasher = await service.take(UPLOAD);
    expect(hasher?.sizeBytes).toBe(BYTES.length);
    expect(hasher?.result().sha256).toBe(sha256(BYTES));
    expect(await completes()).toEqual({ sizeBytes: BYTES.length, isAsScanned: true });
  });

  // red when: the completion of a copy says that the blob has the scanned bytes
  it('tells that the hashes do not hold when a hashed part was sent again', async () => {
    await sends(1, Buffer.alloc(MIB, 'x'));
    await haveBeenRead(1);
    for (const number of [1, 2, 3]) await sends(number);
    await service.take(UPLOAD);
    expect(await completes()).toMatchObject({ isAsScanned: false });
    expect(sha256(await store.readBlock(KEY, 0, BYTES.length))).toBe(sha256(BYTES));
  });

  it('does not tell that they hold when another call has completed the upload', async () => {
    for (const number of [1, 2, 3]) await sends(number);
    await haveBeenRead(1, 2, 3);
    await completes();
    expect(await completes()).toMatchObject({ isAsScanned: false });
  });

  it('has no bytes while the first part is missing, and nothing for an upload that it does not know', async () => {
    await sends(2);
    expect((await service.take(UPLOAD))?.sizeBytes).toBe(0);
    expect(await service.take(UPLOAD)).toBeNull();
  });

  // red when: the failure of a read is not caught, or its bytes count
  it('gives up when the parts are deleted', async () => {
    await store.parts.abort(KEY);
    service.arrived(UPLOAD, PARTS[0]!, store.parts);
    expect(await service.take(UPLOAD)).toBeNull();
  });

  it('forgets the upload that was idle for the longest time when there are too many', async () => {
    await sends(1);
    for (let at = 0; at < 256; at += 1) service.arrived({ ...UPLOAD, id: `b${at}` }, PARTS[1]!, store.parts);
    expect(await service.take(UPLOAD)).toBeNull();
    expect(await service.take({ ...UPLOAD, id: 'b0' })).not.toBeNull();
  });
});
