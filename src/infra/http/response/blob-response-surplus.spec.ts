import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { type BlobStore, type ByteRange } from '#infra/blob/blob-store';
import { LocalBlobStore } from '#infra/blob/local/local-blob-store';
import { until } from '../../../../test/support/until';
import { sendBlob } from './blob-response';

const bytes = randomBytes(100_000);
const sha256 = createHash('sha256').update(bytes).digest('hex');
/** Bytes that a proxy would read as the next response. */
const SURPLUS = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nsmuggled');

const ofRange = ({ start, end }: ByteRange = { start: 0, end: bytes.length - 1 }): Buffer =>
  bytes.subarray(start, end + 1);
function* endless(first: Buffer): Generator<Buffer> {
  for (yield first; ;) yield SURPLUS;
}
const RESUMES = `Range: bytes=90000-\r\nIf-Range: "${sha256}"\r\n`;

/** Bytes beyond the Content-Length must never be sent on a keep-alive connection. */
describe('sendBlob from a store that sends too much', () => {
  let folder: string;
  let server: Server;
  let store: BlobStore;
  let streams: Readable[];
  let sentBytes: number[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agate-surplus-'));
    server = createServer((incoming, outgoing) => {
      const file = { fileName: 'App.apk', mediaType: 'application/octet-stream' };
      const options = { store, key: 'a', sizeBytes: bytes.length, sha256, ...file, delivery: 'auto' } as const;
      void sendBlob(incoming, outgoing, options).then((sent) =>
        sentBytes.push(sent ? sent.spans[0]!.end - sent.spans[0]!.start : 0),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    streams = [];
    sentBytes = [];
  });

  const sending = (chunks: (range?: ByteRange) => Iterable<Buffer>): void => {
    const read = (_key: string, range?: ByteRange): Promise<Readable> => {
      const stream = Readable.from(chunks(range));
      streams.push(stream);
      return Promise.resolve(stream);
    };
    store = { read } as Partial<BlobStore> as BlobStore;
  };

  /** Reads a keep-alive connection until it closes, or more than the announced bytes have arrived. */
  const answerTo = async (headers: string): Promise<{ body: Buffer; isClosed: boolean }> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => undefined);
    const request = `GET / HTTP/1.1\r\nHost: a\r\n${headers}Connection: keep-alive\r\n\r\n`;
    socket.write(request);
    try {
      for (;;) {
        await setTimeout(5);
        const all = Buffer.concat(chunks);
        const bodyAt = all.includes('\r\n\r\n') ? all.indexOf('\r\n\r\n') + 4 : 0;
        const announcedBytes = Number(/content-length: (\d+)/i.exec(all.subarray(0, bodyAt).toString())?.[1]);
        const body = all.subarray(bodyAt);
        if (socket.closed || body.length > announcedBytes) return { body, isClosed: socket.closed };
      }
    } finally {
      socket.destroy();
    }
  };

  // red when: chunks are written before they are counted (the surplus follows the response), or the response ends
  // successfully
  it.each<[string, (range?: ByteRange) => Iterable<Buffer>]>([
    ['in one chunk', (range) => [Buffer.concat([ofRange(range), SURPLUS])]],
    ['in a separate chunk', (range) => [ofRange(range), SURPLUS]],
    [
      'across a chunk',
      (range) => [ofRange(range).subarray(0, 5_000), Buffer.concat([ofRange(range).subarray(5_000), SURPLUS])],
    ],
    ['endless', (range) => endless(ofRange(range))],
  ])('closes the connection without sending the surplus (%s)', async (_, chunks) => {
    sending(chunks);
    for (const headers of ['', RESUMES]) {
      const { body, isClosed } = await answerTo(headers);
      const requested = headers ? bytes.subarray(90_000) : bytes;
      expect({ isClosed, isOurs: requested.subarray(0, body.length).equals(body) }).toEqual({
        isClosed: true,
        isOurs: true,
      });
    }
    await until(() => sentBytes.length >= 2);
    expect(Math.max(...sentBytes)).toBeLessThanOrEqual(bytes.length);
    expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, true]);
  });

  it('sends nothing when the store ignores the range', async () => {
    sending(() => [bytes]);
    const { body, isClosed } = await answerTo(RESUMES);
    expect({ size: body.length, isClosed }).toEqual({ size: 0, isClosed: true });
  });

  it('closes the connection when the file has grown', async () => {
    store = new LocalBlobStore(folder);
    await store.write('a', Readable.from([bytes, SURPLUS]));
    const { body, isClosed } = await answerTo('');
    expect({ isClosed, isCut: body.length <= bytes.length }).toEqual({ isClosed: true, isCut: true });
  });
});
