import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readlink, rm, truncate } from 'node:fs/promises';
import {
  Agent,
  createServer,
  get,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type Server,
} from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { parse } from 'content-disposition';
import express from 'express';
import { AppError } from '#kernel/errors/app-error';
import { type ByteSpan } from '#infra/blob/blob-store';
import { mediaTypeOf } from '#infra/blob/download-headers';
import { LocalBlobStore } from '#infra/blob/local/local-blob-store';
import { until } from '../../../../test/support/until';
import { sendBlob, type SendBlobOptions } from './blob-response';

const bytes = randomBytes(3 * 1024 * 1024 + 17);
const sha256 = createHash('sha256').update(bytes).digest('hex');
const ETAG = `"${sha256}"`;
const INTERRUPTED_DOWNLOADS = Number(process.env['INTERRUPTED_DOWNLOADS'] ?? 20);

describe.each([
  ['opened', 'open'],
  ['streamed', 'read'],
] as const)('sendBlob of a blob that is %s', (_, way) => {
  let folder: string;
  let store: LocalBlobStore;
  let server: Server;
  let options: SendBlobOptions;
  let sent: ByteSpan[];
  let planned: number[];
  let opened: jest.SpyInstance;
  let finished: number;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agate-download-'));
    store = new LocalBlobStore(folder);
    await store.write('a', Readable.from([bytes]));
    await store.write('empty', Readable.from([]));
    const app = express();
    app.disable('x-powered-by');
    app.get('/', async (incoming, outgoing) => {
      const spans = sent;
      try {
        const delivered = await sendBlob(incoming, outgoing, options);
        if (delivered?.delivery === 'stream') spans.push(...delivered.spans);
      } catch (error) {
        const { entry, details } = error instanceof AppError ? error : new AppError('internal_error');
        outgoing.status(entry.status).json({ error: entry.code, details });
      } finally {
        finished += 1;
      }
    });
    server = createServer(app).listen(0, '127.0.0.1');
    server.keepAliveTimeout = 0;
    await once(server, 'listening');
    if (way === 'read') Object.defineProperty(store, 'open', { value: undefined });
    opened = jest.spyOn(store, way);
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    planned = [];
    sent = [];
    finished = 0;
    opened.mockClear();
    const beforeSend = (plannedBytes: number): void => void planned.push(plannedBytes);
    const fileName = 'My App.apk';
    const file = { fileName, mediaType: mediaTypeOf(fileName) };
    options = { store, key: 'a', sizeBytes: bytes.length, sha256, ...file, delivery: 'auto', beforeSend };
  });

  const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const ask = async (headers: OutgoingHttpHeaders = {}, method = 'GET', agent: Agent | false = false) => {
    const outgoing = request(address(), { method, headers, agent }).end();
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { status: incoming.statusCode, headers: incoming.headers, body: await buffer(incoming) };
  };
  const openBlobs = async (): Promise<number> => {
    const links = await Promise.all(
      (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
    );
    return links.filter((link) => link.startsWith(folder)).length;
  };

  it('sends the whole blob, with headers that prevent browsers from executing it', async () => {
    const { status, headers, body } = await ask();
    expect(status).toBe(200);
    expect(body.equals(bytes)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'application/vnd.android.package-archive',
      'content-length': String(bytes.length),
      'content-disposition': 'attachment; filename="My App.apk"',
      'accept-ranges': 'bytes',
      etag: ETAG,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(planned).toEqual([bytes.length]);
  });

  it('returns the bytes that were sent', async () => {
    await ask();
    await ask({ range: 'bytes=5-9' });
    await ask({}, 'HEAD');
    await until(() => sent.length >= 2);
    expect(sent).toEqual([
      { start: 0, end: bytes.length },
      { start: 5, end: 10 },
    ]);
  });

  it('responds to HEAD with the headers of GET, without opening or metering', async () => {
    const full = await ask();
    planned = [];
    opened.mockClear();
    const { status, headers, body } = await ask({ range: 'bytes=0-9' }, 'HEAD');
    expect({ status, size: body.length, planned, opened: opened.mock.calls }).toEqual({
      status: 200,
      size: 0,
      planned: [],
      opened: [],
    });
    expect({ ...headers, date: '' }).toEqual({ ...full.headers, date: '' });
  });

  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=-5', bytes.length - 5, bytes.length - 1],
    ['bytes=1048576-', 1_048_576, bytes.length - 1],
    ['bytes=100-99999999999', 100, bytes.length - 1],
  ])('sends the range %s', async (range, start, end) => {
    const { status, headers, body } = await ask({ range });
    expect(status).toBe(206);
    expect(headers['content-range']).toBe(`bytes ${start}-${end}/${bytes.length}`);
    expect(headers['content-length']).toBe(String(end - start + 1));
    expect(body.equals(bytes.subarray(start, end + 1))).toBe(true);
    expect(planned).toEqual([end - start + 1]);
  });

  // red when: a range of the store is not what its header says, or the body starts with an empty line, which electron-updater rejects
  it('sends several ranges as multipart/byteranges', async () => {
    const ranges = [
      [0, 1],
      [5, 1_048_580],
      [bytes.length - 10, bytes.length - 1],
    ] as const;
    const { status, headers, body } = await ask({ range: `bytes=${ranges.map((each) => each.join('-')).join(', ')}` });
    const [, boundary] = /^multipart\/byteranges; boundary=(\S+)$/.exec(headers['content-type'] as string) ?? [];
    const expected = ranges.flatMap(([start, end], index) => [
      Buffer.from(
        `${index === 0 ? '' : '\r\n'}--${boundary}\r\nContent-Type: application/vnd.android.package-archive\r\n` +
          `Content-Range: bytes ${start}-${end}/${bytes.length}\r\n\r\n`,
      ),
      bytes.subarray(start, end + 1),
    ]);
    const whole = Buffer.concat([...expected, Buffer.from(`\r\n--${boundary}--\r\n`)]);
    expect({ status, length: headers['content-length'] }).toEqual({ status: 206, length: String(whole.length) });
    expect(body.equals(whole)).toBe(true);
    expect(planned).toEqual([ranges.reduce((sum, [start, end]) => sum + end - start + 1, 0)]);
    await until(() => sent.length === ranges.length);
    expect(sent).toEqual(ranges.map(([start, end]) => ({ start, end: end + 1 })));
  });

  it('sends the whole blob for several ranges that are not served', async () => {
    const { status, headers, body } = await ask({ range: 'bytes=5-6,0-1' });
    expect({ status, size: body.length, range: headers['content-range'] }).toEqual({
      status: 200,
      size: bytes.length,
      range: undefined,
    });
  });

  it('rejects a range after the end, without headers of the blob', async () => {
    const { status, headers, body } = await ask({ range: `bytes=${bytes.length}-` });
    expect(status).toBe(416);
    expect(headers['content-range']).toBe(`bytes */${bytes.length}`);
    expect(headers['content-disposition']).toBeUndefined();
    expect(JSON.parse(body.toString())).toEqual({ error: 'invalid_input', details: { size_bytes: bytes.length } });
    expect([planned, opened.mock.calls]).toEqual([[], []]);
  });

  it('honours If-Range', async () => {
    const range = 'bytes=10-19';
    expect((await ask({ range, 'if-range': ETAG })).status).toBe(206);
    expect((await ask({ range, 'if-range': '"other"' })).status).toBe(200);
    expect((await ask({ range, 'if-range': `W/${ETAG}` })).status).toBe(200);
  });

  it.each([ETAG, `W/${ETAG}`, `"other", ${ETAG}`, '*'])('responds with 304 to If-None-Match %s', async (tag) => {
    const { status, headers, body } = await ask({ 'if-none-match': tag });
    expect({ status, etag: headers.etag, size: body.length, planned }).toEqual({
      status: 304,
      etag: ETAG,
      size: 0,
      planned: [],
    });
    expect((await ask({ 'if-none-match': tag }, 'HEAD')).status).toBe(304);
    expect((await ask({ 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('sends an empty blob', async () => {
    options = { ...options, key: 'empty', sizeBytes: 0 };
    expect(await ask()).toMatchObject({ status: 200, headers: { 'content-length': '0' } });
    expect((await ask({ range: 'bytes=0-' })).status).toBe(416);
  });

  /** Receives `share` of the missing bytes, then disconnects. */
  const takeSome = async (received: Buffer[], receivedBytes: number, share: number): Promise<number> => {
    const headers = receivedBytes > 0 ? { range: `bytes=${receivedBytes}-`, 'if-range': ETAG } : {};
    const outgoing = get(address(), { headers, agent: false }).on('error', () => undefined);
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(incoming.statusCode).toBe(receivedBytes > 0 ? 206 : 200);
    const cutAt = (bytes.length - receivedBytes) * share;
    let taken = 0;
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      received.push(chunk);
      taken += chunk.length;
      if (taken >= cutAt) break;
    }
    outgoing.destroy();
    return receivedBytes + taken;
  };

  it('lets an interrupted client resume until it has the same bytes', async () => {
    for (let download = 0; download < INTERRUPTED_DOWNLOADS; download += 1) {
      const received: Buffer[] = [];
      for (let size = 0; size < bytes.length;) size = await takeSome(received, size, Math.random());
      expect(Buffer.concat(received).equals(bytes)).toBe(true);
    }
  });

  it('closes the blob and resolves when clients disconnect', async () => {
    for (let client = 0; client < 20; client += 1) {
      const outgoing = get(address(), { agent: false }).on('error', () => undefined);
      const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
      incoming.on('error', () => undefined);
      await once(incoming, 'readable');
      outgoing.destroy();
    }
    await until(() => finished >= 20);
    await until(async () => (await openBlobs()) === 0);
    // red when: buffered bytes count as sent
    expect(sent.filter(({ end }) => end >= bytes.length)).toEqual([]);
  });

  it('closes the blob of a client that disconnected while it was being opened', async () => {
    let left: () => void = () => undefined;
    let asked = false;
    options = { ...options, beforeSend: () => ((asked = true), new Promise<void>((resolve) => (left = resolve))) };
    const outgoing = get(address(), { agent: false }).on('error', () => undefined);
    await until(() => asked);
    outgoing.destroy();
    await setTimeout(20);
    left();
    await until(() => finished !== 0);
    await until(async () => (await openBlobs()) === 0);
  });

  // red when: a stream that waits to be sent has no error listener, so that an error ends the process
  it('closes the connection when the store fails before the first byte', async () => {
    const broken = new Readable({ read: () => undefined });
    let listeners = 0;
    const beforeSend = async (): Promise<void> => {
      listeners = broken.listenerCount('error');
      broken.destroy(new Error('broken off'));
      await until(() => broken.closed, { everyMs: 1 });
    };
    const breaking = Object.create(store, {
      open: { value: undefined },
      read: { value: () => broken },
    }) as typeof store;
    options = { ...options, store: breaking, beforeSend };
    await expect(ask()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(listeners).toBeGreaterThan(0);
  });

  it('closes the connection when the blob is too short', async () => {
    // On a keep-alive connection, a response that is too short would leave the client waiting.
    const agent = new Agent({ keepAlive: true });
    await store.write('short', Readable.from([bytes.subarray(0, 500_000)]));
    options = { ...options, key: 'short' };
    await expect(ask({}, 'GET', agent)).rejects.toMatchObject({ code: 'ECONNRESET' });
    await truncate(join(folder, 'short.blob'), 0);
    await expect(ask({}, 'GET', agent)).rejects.toMatchObject({ code: 'ECONNRESET' });
    agent.destroy();
  });

  it.each([
    [
      'the error of beforeSend',
      402,
      () => ({ ...options, beforeSend: () => Promise.reject(new AppError('prepaid_credit_exhausted')) }),
    ],
    ['the error of a store without the blob', 503, () => ({ ...options, key: 'missing' })],
    ['the error of the store', 503, () => ({ ...options, store: new LocalBlobStore(join(folder, 'a.blob')) })],
  ])(
    'responds with %s without headers of the blob, and does not leave it open or metered',
    async (_what, status, change) => {
      options = change();
      const response = await ask();
      // red when: a blob is metered that the store did not deliver
      expect(planned).toEqual([]);
      // red when: a blob that is not sent stays open
      await until(async () => (await openBlobs()) === 0);
      expect(response.status).toBe(status);
      expect(response.headers['content-type']).toMatch(/json/);
      expect(response.headers).not.toHaveProperty('content-disposition');
    },
  );

  it.each([
    ['../../x.apk', 'x.apk'],
    ['C:\\x.apk', 'x.apk'],
    ['a\0b.apk', 'ab.apk'],
    ['a\r\nX-Evil: 1.apk', 'aX-Evil: 1.apk'],
    ['a"; filename="evil.exe', 'a"; filename="evil.exe'],
    ['a%20b.apk', 'a%20b.apk'],
    ['приложение 🚀.apk', 'приложение 🚀.apk'],
    ['\u202egpj.apk', 'gpj.apk'],
    ['n'.repeat(300) + '.apk', 'n'.repeat(251) + '.apk'],
    ['', 'artifact'],
  ])('encodes the file name %j safely', async (fileName, offered) => {
    options = { ...options, fileName };
    const { status, headers } = await ask({}, 'HEAD');
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty('x-evil');
    expect(parse(headers['content-disposition'] ?? '')).toMatchObject({
      type: 'attachment',
      parameters: { filename: offered },
    });
  });

  describe('in a store that can sign URLs', () => {
    const signed = jest.fn((key: string) => Promise.resolve(`https://store.example/${key}?signed`));
    const deliver = (delivery: SendBlobOptions['delivery']): void => {
      const signing = Object.assign(Object.create(store) as typeof store, { signedUrl: signed });
      options = { ...options, store: signing, delivery };
    };
    beforeEach(() => signed.mockClear());

    it.each(['auto', 'redirect'] as const)(
      'redirects and meters the whole blob for a range from its start (%s)',
      async (delivery) => {
        deliver(delivery);
        const { status, headers, body } = await ask();
        expect([status, headers.location, body.length]).toEqual([302, 'https://store.example/a?signed', 0]);
        expect(headers['cache-control']).toBe('private, no-store');
        expect(signed).toHaveBeenCalledWith('a', {
          expiresInSeconds: 60,
          fileName: 'My App.apk',
          mediaType: 'application/vnd.android.package-archive',
        });
        expect((await ask({ range: 'bytes=0-9' })).status).toBe(302);
        // red when: the redirect is sent before beforeSend
        expect(planned).toEqual([bytes.length, bytes.length]);
        // red when: bytes that the store sends count as sent by the service
        expect(sent).toEqual([]);
      },
    );

    // red when: the resumption is recognized by the range that If-Range permits, a range that starts at 0 counts as one, or
    // its text only begins like a range
    it.each<[string, Record<string, string>, number]>([
      ['a range after the start', { range: 'bytes=5-' }, 50],
      ['such a range with the ETag of the store', { range: 'bytes=05-9', 'if-range': '"of the store"' }, 50],
      ['a range from the start', { range: 'bytes=00-' }, 1],
      ['the last bytes', { range: 'bytes=-5' }, 1],
      ['several ranges', { range: 'bytes=0-1,5-9' }, 1],
      ['a range that ends before it starts', { range: 'bytes=5-2' }, 1],
      ['a range with an end that is no number', { range: 'bytes=1-x' }, 1],
      ['several ranges in another order', { range: 'bytes=5-9,0-1' }, 1],
    ])('meters a redirect for %s as a part of the blob', async (_name, headers, part) => {
      deliver('redirect');
      expect((await ask(headers)).status).toBe(302);
      expect(planned).toEqual([Math.ceil(bytes.length / part)]);
    });

    it('sends the blob itself (stream)', async () => {
      deliver('stream');
      expect((await ask()).body.equals(bytes)).toBe(true);
      expect(signed).not.toHaveBeenCalled();
    });

    it('responds itself to HEAD, a matching ETag and an unsatisfiable range', async () => {
      deliver('redirect');
      expect((await ask({}, 'HEAD')).status).toBe(200);
      expect((await ask({ 'if-none-match': `"${sha256}"` })).status).toBe(304);
      expect((await ask({ range: `bytes=${bytes.length}-` })).status).toBe(416);
      expect(signed).not.toHaveBeenCalled();
    });

    it('sends the rest itself to a client that resumes with our ETag, which the store does not know (auto)', async () => {
      deliver('auto');
      const rest = await ask({ range: 'bytes=5-', 'if-range': `"${sha256}"` });
      expect([rest.status, rest.body.equals(bytes.subarray(5))]).toEqual([206, true]);
      deliver('redirect');
      expect((await ask({ range: 'bytes=5-', 'if-range': `"${sha256}"` })).status).toBe(302);
    });
  });
});

describe('mediaTypeOf', () => {
  it.each([
    ['a.APK', 'application/vnd.android.package-archive'],
    ['a.ipa', 'application/octet-stream'],
    ['a.aab', 'application/octet-stream'],
    ['a.html', 'application/octet-stream'],
    ['a.constructor', 'application/octet-stream'],
    ['apk', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('maps %j to %s', (fileName, mediaType) => {
    expect(mediaTypeOf(fileName)).toBe(mediaType);
  });
});
