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
import { sendBlob } from './blob-response';

const bytes = randomBytes(100_000);
const sha256 = createHash('sha256').update(bytes).digest('hex');
/** What a hostile store would have a proxy take for our next answer. */
const SURPLUS = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nsmuggled');

const ofRange = ({ start, end }: ByteRange = { start: 0, end: bytes.length - 1 }): Buffer =>
  bytes.subarray(start, end + 1);
function* endless(first: Buffer): Generator<Buffer> {
  for (yield first; ;) yield SURPLUS;
}
const RESUMES = `Range: bytes=90000-\r\nIf-Range: "${sha256}"\r\n`;

/** Nothing that a store sends gets behind the `Content-Length` of our answer, on a connection that is kept. */
describe('sendBlob from a store that sends more than was asked for', () => {
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
        sentBytes.push(sent ? sent.span.end - sent.span.start : 0),
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

  /** All that comes on a connection that is kept, until it ends, or something is there that was not announced. */
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

  // red when: chunks are not counted before they are written (the surplus follows our answer), or the response ends as a good one
  it.each<[string, (range?: ByteRange) => Iterable<Buffer>]>([
    ['in one chunk', (range) => [Buffer.concat([ofRange(range), SURPLUS])]],
    ['in a chunk of its own', (range) => [ofRange(range), SURPLUS]],
    [
      'across a chunk',
      (range) => [ofRange(range).subarray(0, 5_000), Buffer.concat([ofRange(range).subarray(5_000), SURPLUS])],
    ],
    ['without end', (range) => endless(ofRange(range))],
  ])('%s, cuts the connection and lets nothing of the surplus out', async (_, chunks) => {
    sending(chunks);
    for (const headers of ['', RESUMES]) {
      const { body, isClosed } = await answerTo(headers);
      const asked = headers ? bytes.subarray(90_000) : bytes;
      expect({ isClosed, isOurs: asked.subarray(0, body.length).equals(body) }).toEqual({
        isClosed: true,
        isOurs: true,
      });
    }
    while (sentBytes.length < 2) await setTimeout(5);
    expect(Math.max(...sentBytes)).toBeLessThanOrEqual(bytes.length);
    expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, true]);
  });

  it('of which the range is the least, gives nothing of the whole to who asked for the range', async () => {
    sending(() => [bytes]);
    const { body, isClosed } = await answerTo(RESUMES);
    expect({ size: body.length, isClosed }).toEqual({ size: 0, isClosed: true });
  });

  it('cuts the connection of a file that is longer than it was', async () => {
    store = new LocalBlobStore(folder);
    await store.write('a', Readable.from([bytes, SURPLUS]));
    const { body, isClosed } = await answerTo('');
    expect({ isClosed, isCut: body.length <= bytes.length }).toEqual({ isClosed: true, isCut: true });
  });
});
