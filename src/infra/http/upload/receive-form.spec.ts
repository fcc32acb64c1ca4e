import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import express from 'express';
import supertest from 'supertest';
import { AppError } from '#kernel/errors/app-error';
import { LocalBlobStore } from '#infra/blob/local/local-blob-store';
import { until } from '../../../../test/support/until';
import { type ReceivedForm, receiveForm, type ReceiveFormOptions } from './receive-form';

const MAX_BYTES = 3 * 1024 * 1024;
const BOUNDARY = 'agate-boundary';
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

type Part = readonly [name: string, value: string | Buffer, fileName?: string];
const part = ([name, value, fileName]: Part): Buffer =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`),
    Buffer.from(
      fileName === undefined ? '\r\n\r\n' : `; filename="${fileName}"\r\nContent-Type: application/zip\r\n\r\n`,
    ),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
const form = (...parts: readonly Part[]): Buffer =>
  Buffer.concat([...parts.map(part), Buffer.from(`--${BOUNDARY}--\r\n`)]);

interface Answer {
  readonly status: number;
  readonly headers: string;
  readonly body: { error?: string; details?: { reason?: string; fields?: unknown[] } } & Partial<ReceivedForm>;
}

describe('receiveForm', () => {
  let folder: string;
  let store: LocalBlobStore;
  let server: Server;
  let port: number;
  let options: ReceiveFormOptions;
  /** 'received' or the error of each request, in order. */
  let outcomes: unknown[];
  let bytesRead: number;
  let lastOutcome: () => Promise<unknown>;

  const filesLeft = async (): Promise<string[]> =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((e) => e.isFile()).map((e) => e.name);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agate-upload-'));
    store = new LocalBlobStore(folder);
    let count = 0;
    options = { maxBytes: MAX_BYTES, open: () => Promise.resolve({ store, key: `builds/${(count += 1)}` }) };
    outcomes = [];
    bytesRead = 0;
    const app = express();
    app.post('/builds', async (request, response) => {
      request.socket.once('close', () => (bytesRead = request.socket.bytesRead));
      try {
        const { fields, file } = await receiveForm(request, response, options);
        const { fileName, sizeBytes, sha256: digest, key } = file;
        outcomes.push('received');
        response.json({ fields, file: { fileName, sizeBytes, sha256: digest, key } });
      } catch (error) {
        outcomes.push(error);
        const known = error instanceof AppError ? error : new AppError('internal_error');
        response.status(known.entry.status).json({ error: known.entry.code, details: known.details });
      }
    });
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
    lastOutcome = async () => {
      await until(() => outcomes.length !== 0);
      return outcomes[0];
    };
  });

  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const dial = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  const head = (...headers: string[]): string =>
    ['POST /builds HTTP/1.1', 'Host: localhost', ...headers, '', ''].join('\r\n');
  const multipart = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`;

  /** Reads one response and the end of the connection. */
  const answerOf = async (socket: Socket): Promise<Answer> => {
    const raw = await text(socket);
    const [headers = '', body = ''] = raw.split('\r\n\r\n', 2);
    return { status: Number(headers.split(' ')[1]), headers, body: JSON.parse(body) as Answer['body'] };
  };
  const send = async (body: Buffer, ...headers: string[]): Promise<Answer> => {
    const socket = await dial();
    const answer = answerOf(socket);
    socket.write(
      head(...(headers.length ? headers : [multipart]), `Content-Length: ${body.length}`, 'Connection: close'),
    );
    socket.write(body);
    return answer;
  };

  it.each([0, 1, 65_536, 1024 * 1024, MAX_BYTES - 1, MAX_BYTES])('stores a file of %d bytes', async (size) => {
    const bytes = randomBytes(size);
    const { status, body } = await send(form(['file', bytes, 'My App.apk']));
    expect(status).toBe(200);
    expect(body.file).toMatchObject({ fileName: 'My App.apk', sizeBytes: size, sha256: sha256(bytes) });
    expect((await buffer(await store.read('builds/1'))).equals(bytes)).toBe(true);
    expect(await filesLeft()).toEqual(['1.blob']);
  });

  it('accepts text parts before and after the file, and passes those before it to `open`', async () => {
    let seen: unknown;
    const { open } = options;
    options = { ...options, open: (name, fields) => ((seen = [name, { ...fields }]), open(name, fields)) };
    const { body } = await send(
      form(
        ['version', '1.2.3'],
        ['notes', 'grüße 🚀\r\nzwei'],
        ['file', 'bytes', 'a.ipa'],
        ['sha256', 'abc'],
        ['__proto__', 'x'],
      ),
    );
    expect(seen).toEqual(['a.ipa', { version: '1.2.3', notes: 'grüße 🚀\r\nzwei' }]);
    expect(Object.entries(body.fields ?? {})).toEqual([
      ['version', '1.2.3'],
      ['notes', 'grüße 🚀\r\nzwei'],
      ['sha256', 'abc'],
      ['__proto__', 'x'],
    ]);
  });

  it('accepts forms of client libraries, with Content-Length and chunked', async () => {
    const agent = supertest(server);
    const answer = await agent
      .post('/builds')
      .field('version', '1')
      .attach('file', Buffer.from('bytes'), 'приложение.apk');
    expect(answer.body).toMatchObject({ fields: { version: '1' }, file: { fileName: 'приложение.apk', sizeBytes: 5 } });

    const data = new FormData();
    data.append('file', new Blob([randomBytes(200_000)]), 'b.ipa');
    const chunked = await fetch(`http://127.0.0.1:${port}/builds`, { method: 'POST', body: data });
    expect(await chunked.json()).toMatchObject({ file: { fileName: 'b.ipa', sizeBytes: 200_000 } });
  });

  it.each([
    ['../../x.apk', 'x.apk'],
    ['C:\\\\x\\\\y.apk', 'y.apk'],
    ['a%22b%0D%0A.apk', 'a"b.apk'],
    ['\u202egpj.apk', 'gpj.apk'],
    ['n'.repeat(300) + '.apk', 'n'.repeat(251) + '.apk'],
  ])('cleans the file name %j', async (sent, shown) => {
    expect((await send(form(['file', 'x', sent]))).body.file?.fileName).toBe(shown);
  });

  describe('with a body that is too large', () => {
    const large = form(['file', randomBytes(MAX_BYTES + 1), 'a.apk']);

    it('rejects a file one byte over the limit', async () => {
      const { status, headers, body } = await send(large);
      expect({ status, body }).toEqual({
        status: 413,
        body: { error: 'payload_too_large', details: { max_bytes: MAX_BYTES } },
      });
      expect(headers).toMatch(/\r\nConnection: close/i);
      expect(await filesLeft()).toEqual([]);
    });

    it('rejects an announced length without reading the body', async () => {
      const socket = await dial();
      socket.write(head(multipart, 'Content-Length: 99999999999'));
      expect((await answerOf(socket)).status).toBe(413);
    });

    it('rejects an endless chunked body after at most 1 MiB over the limit and closes the connection', async () => {
      const socket = await dial();
      const answer = answerOf(socket);
      socket.write(head(multipart, 'Transfer-Encoding: chunked'));
      const start = form(['file', '', 'a.apk']).subarray(0, -BOUNDARY.length - 8);
      const chunk = (bytes: Buffer): Buffer =>
        Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
      socket.write(chunk(start));
      const filler = chunk(Buffer.alloc(65_536, 'x'));
      const pump = (): void => {
        while (socket.writable && socket.write(filler));
      };
      socket.on('drain', pump);
      pump();
      expect(await answer).toMatchObject({ status: 413, body: { error: 'payload_too_large' } });
      socket.destroy();
      await until(() => bytesRead !== 0);
      expect(bytesRead).toBeLessThanOrEqual(MAX_BYTES + 1024 * 1024);
      expect(await filesLeft()).toEqual([]);
    });

    it.each([
      ['a preamble without a boundary', Buffer.alloc(MAX_BYTES + 700_000, 'x')],
      [
        'a part without a name',
        Buffer.concat([Buffer.from(`--${BOUNDARY}\r\nX-A: b\r\n\r\n`), Buffer.alloc(MAX_BYTES + 700_000)]),
      ],
    ])('limits %s', async (_what, body) => {
      const socket = await dial();
      const answer = answerOf(socket);
      socket.write(head(multipart, 'Transfer-Encoding: chunked', 'Connection: close'));
      socket.write(Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]));
      expect((await answer).status).toBe(413);
    });
  });

  describe('with a form of the wrong shape', () => {
    const file: Part = ['file', randomBytes(100_000), 'a.apk'];
    it.each<[string, Buffer]>([
      ['no file', form(['version', '1'])],
      ['nothing at all', form()],
      ['a text part named file', form(['file', 'x'])],
      ['an empty file name', form(['file', 'x', ''])],
      ['two files', form(file, file)],
      ['a file of another name', form(['artifact', 'x', 'a.apk'])],
      ['a file of another name after the file', form(file, ['icon', 'x', 'a.png'])],
      ['1000 fields', form(...Array.from({ length: 1000 }, (_, i): Part => [`f${i}`, 'x']), file)],
      ['1000 fields after the file', form(file, ...Array.from({ length: 1000 }, (_, i): Part => [`f${i}`, 'x']))],
      ['a name 20 000 deep', form(['a' + '[b]'.repeat(5_000), 'x'], file)],
      ['brackets', form(['a[b]', 'x'], file)],
      ['a list', form(['a[]', 'x'], file)],
      ['a huge index', form(['a[99999999]', 'x'], file)],
      ['a long name', form(['n'.repeat(101), 'x'], file)],
      ['no name', form(['', 'x'], file)],
      ['a long value', form(['notes', 'x'.repeat(128 * 1024 + 1)], file)],
      ['a long value after the file', form(file, ['notes', 'x'.repeat(200_000)])],
      ['a name given twice', form(['version', '1'], ['version', '2'], file)],
      ['a name given twice around the file', form(['version', '1'], file, ['version', '2'])],
    ])('rejects %s with a validation_error that names the field, and leaves nothing behind', async (_what, body) => {
      const answer = await send(body);
      expect(answer).toMatchObject({ status: 400, body: { error: 'validation_error' } });
      expect(answer.body.details?.fields).toEqual([
        { field: expect.any(String) as string, messages: [expect.any(String) as string] },
      ]);
      expect(await filesLeft()).toEqual([]);
    });

    it.each([
      ['application/json'],
      ['multipart/form-data'],
      ['multipart/form-data; charset=utf-8'],
      ['multipart/mixed; boundary=x'],
      ['text/plain'],
    ])('rejects a body of type %s with a validation_error', async (type) => {
      const answer = await send(Buffer.from('{}'), `Content-Type: ${type}`);
      expect(answer).toMatchObject({ status: 400, body: { error: 'validation_error' } });
    });

    const whole = form(file, ['version', '1']);
    it.each<[string, Buffer, string]>([
      ['another boundary', whole, 'Content-Type: multipart/form-data; boundary=other'],
      ['an empty body', Buffer.alloc(0), multipart],
      ['a cut in the file', whole.subarray(0, 50_000), multipart],
      ['a cut in a header', whole.subarray(0, 50), multipart],
      ['a cut before the last boundary', whole.subarray(0, -6), multipart],
      ['a broken part header', Buffer.from(`--${BOUNDARY}\r\nbad header\r\n\r\nx\r\n--${BOUNDARY}--`), multipart],
      [
        'a part header of 20 kB',
        Buffer.from(`--${BOUNDARY}\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\nx\r\n--${BOUNDARY}--`),
        multipart,
      ],
      [
        'a broken part header after the file',
        Buffer.concat([part(file), Buffer.from(`--${BOUNDARY}\r\nbad header\r\n\r\nx\r\n--${BOUNDARY}--`)]),
        multipart,
      ],
    ])('rejects %s as malformed_multipart and leaves nothing behind', async (_what, body, type) => {
      const answer = await send(body, type);
      expect(answer).toMatchObject({
        status: 400,
        body: { error: 'invalid_input', details: { reason: 'malformed_multipart' } },
      });
      expect(await filesLeft()).toEqual([]);
    });

    it('responds immediately when the rest of the body is still to come', async () => {
      const socket = await dial();
      const answer = answerOf(socket);
      socket.write(head(multipart, 'Content-Length: 3000000'));
      socket.write(form(['artifact', 'x', 'a.apk']));
      expect((await answer).status).toBe(400);
      expect(socket.destroyed || socket.readableEnded).toBe(true);
    });
  });

  it.each([0.01, 0.5, 0.99])('fails promptly when the client disconnects after %d of the body', async (share) => {
    const body = form(['version', '1'], ['file', randomBytes(2_000_000), 'a.apk']);
    const socket = await dial();
    socket.write(head(multipart, `Content-Length: ${body.length}`));
    socket.write(body.subarray(0, body.length * share));
    await setTimeout(20);
    socket.resetAndDestroy();
    expect(await lastOutcome()).toMatchObject({ errorCase: 'invalid_input', details: { reason: 'upload_aborted' } });
    expect(await filesLeft()).toEqual([]);
  });

  it('fails when the client is idle', async () => {
    options = { ...options, idleMs: 30 };
    const socket = await dial();
    socket.write(head(multipart, 'Content-Length: 1000000'));
    socket.write(form(['file', randomBytes(100_000), 'a.apk']).subarray(0, 90_000));
    expect(await answerOf(socket)).toMatchObject({ status: 400, body: { details: { reason: 'upload_stalled' } } });
    expect(await filesLeft()).toEqual([]);
  });

  it('does not count the time of a slow store as idle time', async () => {
    const slow = new LocalBlobStore(folder);
    const write = slow.write.bind(slow);
    slow.write = async (...all) => {
      await setTimeout(120);
      return write(...all);
    };
    options = { maxBytes: MAX_BYTES, idleMs: 40, open: () => Promise.resolve({ store: slow, key: 'slow' }) };
    expect((await send(form(['file', randomBytes(MAX_BYTES), 'a.apk']))).status).toBe(200);
  });

  it('throws the error of `open` before the file is read', async () => {
    options = { ...options, open: () => Promise.reject(new AppError('prepaid_credit_exhausted')) };
    expect((await send(form(['file', randomBytes(MAX_BYTES), 'a.apk']))).status).toBe(402);
    expect(await filesLeft()).toEqual([]);
  });

  it('throws a TypeError of `open` unchanged', async () => {
    options = { ...options, open: () => Promise.reject(new TypeError('ours')) };
    expect((await send(form(['file', 'x', 'a.apk']))).status).toBe(500);
    expect(await lastOutcome()).toBeInstanceOf(TypeError);
  });

  it('throws the error of the store while the client is still sending', async () => {
    const file = join(folder, 'not-a-folder');
    await new LocalBlobStore(folder).write(
      'not-a-folder',
      (await import('node:stream')).Readable.from([Buffer.from('x')]),
    );
    options = { ...options, open: () => Promise.resolve({ store: new LocalBlobStore(`${file}.blob`), key: 'a' }) };
    const answer = await send(form(['file', randomBytes(MAX_BYTES), 'a.apk']));
    expect(answer).toMatchObject({ status: 503, body: { error: 'storage_backend_unavailable' } });
    expect(await filesLeft()).toEqual(['not-a-folder.blob']);
  });

  it('receives many forms concurrently', async () => {
    const bodies = Array.from({ length: 12 }, () => randomBytes(1_500_000));
    const answers = await Promise.all(bodies.map((bytes) => send(form(['file', bytes, 'a.apk']))));
    expect(answers.map((answer) => answer.body.file?.sha256)).toEqual(bodies.map(sha256));
  });
});
