import { connect, type Socket } from 'node:net';
import { TestApp } from '../../support/app/test-app';
import { bytesTo, rawRequest } from '../../support/load/raw-http';
import { until } from '../../support/until';

jest.setTimeout(180_000);

const CONNECTIONS = 200;
/** The goal is half a second; the machine may be busy with other tests. */
const PROMPT_MS = 30_000;

/** Everything except `setTimeout`. */
const NOT_FAKED = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
] as const;

/**
 * A complete second request inside the first one. If the server treats it as a request, the connection closes after its
 * response.
 */
const SMUGGLED = 'GET /api/v1/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const post = (...headers: string[]): string =>
  `${['POST /api/v1/login/email HTTP/1.1', 'Host: a', 'Content-Type: application/json', ...headers].join('\r\n')}\r\n\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked';

describe('a hostile connection', () => {
  let app: TestApp;
  beforeAll(async () => {
    // Without a worker, because the faked timers would trigger timeouts of jobs.
    app = await TestApp.start({ worker: false });
  });
  afterAll(() => app.stop());

  // red when: the server has `insecureHTTPParser: true` (Content-Length with chunks, the space before the colon, the bare
  // line feed in the headers), or rejectMalformedRequests is not installed (all of them). Node always rejects the others.
  it.each([
    ['Content-Length before chunked encoding', `${post('Content-Length: 4', CHUNKED)}0\r\n\r\n${SMUGGLED}`],
    ['chunked encoding before Content-Length', `${post(CHUNKED, 'Content-Length: 4')}0\r\n\r\n${SMUGGLED}`],
    [
      'two Content-Length headers',
      `${post('Content-Length: 2', `Content-Length: ${2 + SMUGGLED.length}`)}{}${SMUGGLED}`,
    ],
    ['a list as Content-Length', `${post('Content-Length: 2, 40')}{}${SMUGGLED}`],
    ['a Content-Length with a plus sign', `${post('Content-Length: +2')}{}${SMUGGLED}`],
    ['a negative Content-Length', `${post('Content-Length: -2')}{}${SMUGGLED}`],
    ['a hexadecimal Content-Length', `${post('Content-Length: 0x2')}{}${SMUGGLED}`],
    ['an unknown transfer encoding', `${post('Transfer-Encoding: xchunked')}0\r\n\r\n${SMUGGLED}`],
    ['a transfer encoding after chunked', `${post('Transfer-Encoding: chunked, identity')}0\r\n\r\n${SMUGGLED}`],
    ['a space before the colon', `${post('Transfer-Encoding : chunked')}0\r\n\r\n${SMUGGLED}`],
    ['a folded header', `${post('Transfer-Encoding:\r\n chunked')}0\r\n\r\n${SMUGGLED}`],
    ['a control character in a header', `${post('X-Note: a\u0000b', 'Content-Length: 2')}{}${SMUGGLED}`],
    ['a bare line feed in the headers', `${post('X-Note: a\nTransfer-Encoding: chunked')}0\r\n\r\n${SMUGGLED}`],
    ['a chunk size that is not a number', `${post(CHUNKED)}zz\r\n{}\r\n0\r\n\r\n${SMUGGLED}`],
    ['a negative chunk size', `${post(CHUNKED)}-2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`],
    ['a chunk size with 0x', `${post(CHUNKED)}0x2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`],
    ['a chunk size of 2^64 + 2', `${post(CHUNKED)}10000000000000002\r\n{}\r\n0\r\n\r\n${SMUGGLED}`],
    ['a chunk longer than its size', `${post(CHUNKED)}1\r\n{}\r\n0\r\n\r\n${SMUGGLED}`],
    ['chunks that end in bare line feeds', `${post(CHUNKED)}2\n{}\n0\n\n${SMUGGLED}`],
  ])('with %s gets a single 400 response and is closed', async (_case, bytes) => {
    const response = await bytesTo(app.url, bytes);
    expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
    expect(response).toContain('Connection: close');
    expect(response).toContain('"error":"validation_error"');
  });

  // red when: the connection of a CONNECT stays open
  it('with CONNECT gets a single response', async () => {
    const response = await bytesTo(app.url, `CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n${SMUGGLED}`);
    expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404']);
  });

  // red when: the connection of a request without Host, or with an unsupported expectation, stays open while its body is
  // unread
  it.each([
    ['a request without Host', ''],
    ['an unsupported expectation', 'Host: a\r\nExpect: 200-ok\r\n'],
  ])('with %s gets a single 400 response, and its body is not parsed as a request', async (_case, headers) => {
    const bytes = `POST /api/v1/login/email HTTP/1.1\r\n${headers}Content-Length: ${SMUGGLED.length + 1}\r\n\r\n${SMUGGLED}`;
    const response = await bytesTo(app.url, bytes);
    expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
    expect(response).toContain('Connection: close');
  });

  /** Opens a connection, sends bytes and then waits. */
  const opened = (bytes: string): { socket: Socket; response: () => string; ended: Promise<void> } => {
    let text = '';
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1', () => socket.write(bytes));
    const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.on('data', (chunk) => (text += chunk.toString())).on('error', () => undefined);
    return { socket, response: () => text, ended };
  };
  const openConnections = (): Promise<number> =>
    new Promise((resolve, reject) =>
      app.nest.getHttpServer().getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  const isServed = async (): Promise<void> => {
    const start = performance.now();
    expect((await rawRequest(`${app.url}/api/v1/live`)).status).toBe(200);
    // A pause of the machine makes a check fail for a moment.
    await until(async () => (await rawRequest(`${app.url}/api/v1/ready`)).status === 200);
    expect(performance.now() - start).toBeLessThan(PROMPT_MS);
  };

  describe('with a slow body', () => {
    // The timeouts are minutes, so timers are faked. Sockets and the database use real time.
    beforeEach(() => {
      jest.useFakeTimers({ doNotFake: [...NOT_FAKED] });
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    const LONG = 'Content-Length: 100000';
    const unread = (path: string, type: string): string =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\n${LONG}\r\n\r\n`;
    const TOO_SLOW = /^HTTP\/1\.1 400 [^]*took too long to arrive/;
    const slow: readonly { what: string; bytes: string; drip: string; response: RegExp }[] = [
      { what: 'JSON bodies', bytes: `${post(LONG)}{"email":`, drip: ' ', response: TOO_SLOW },
      { what: 'chunked JSON bodies', bytes: `${post(CHUNKED)}2\r\n{"\r\n`, drip: '1\r\n \r\n', response: TOO_SLOW },
      {
        what: 'bodies of an unsupported type',
        bytes: unread('/api/v1/login/email', 'text/plain'),
        drip: ' ',
        response: /^HTTP\/1\.1 400 /,
      },
      {
        what: 'uploads that are not authorized',
        bytes: unread('/api/v1/builds', 'multipart/form-data; boundary=b'),
        drip: '-',
        response: /^HTTP\/1\.1 401 /,
      },
    ];
    // red when: body-parsers has no timeout (JSON), or closeSlowConnections is not installed (unread bodies are discarded
    // indefinitely): the test times out
    it.each(slow)(
      'is closed after minutes, and does not block other clients ($what)',
      async ({ bytes, drip, response: expected }) => {
        const clients = Array.from({ length: CONNECTIONS }, () => opened(bytes));
        // One byte at a time, so that no connection is ever idle.
        const dripping = setInterval(() => {
          for (const { socket } of clients) if (socket.writable) socket.write(drip);
        }, 500);
        try {
          await until(async () => (await openConnections()) >= CONNECTIONS);
          await isServed();
          for (let minute = 0; minute < 2; minute++) {
            await jest.advanceTimersByTimeAsync(60_000);
            await until(() => clients.every(({ response }) => response() !== ''));
            await isServed();
          }
          await jest.advanceTimersByTimeAsync(60_000);
          await Promise.all(clients.map(({ ended }) => ended));
        } finally {
          clearInterval(dripping);
          for (const { socket } of clients) socket.destroy();
        }
        for (const { response } of clients) expect(response()).toMatch(expected);
        await isServed();
      },
    );
  });

  // red when: headersTimeout is 0, or Node checks its connections every half minute, its default
  it('with slow headers is closed, and does not block other clients', async () => {
    const server = app.nest.getHttpServer();
    const { headersTimeout } = server;
    expect(headersTimeout).toBe(60_000);
    expect(server).toMatchObject({ connectionsCheckingInterval: 5_000 });
    const clients = Array.from({ length: CONNECTIONS }, () => opened('GET /api/v1/live HTTP/1.1\r\nHost: a\r\nX-A: '));
    await until(async () => (await openConnections()) >= CONNECTIONS);
    await isServed();
    server.headersTimeout = 1_000;
    try {
      await Promise.all(clients.map(({ ended }) => ended));
    } finally {
      server.headersTimeout = headersTimeout;
    }
    for (const { response } of clients) expect(response()).toMatch(/^HTTP\/1\.1 400 [^]*took too long to arrive/);
    await isServed();
  });

  // red when: maxConnections is not set
  it('beyond the maximum of the process is closed, and the others are served', async () => {
    const server = app.nest.getHttpServer();
    const { maxConnections } = server;
    expect(maxConnections).toBe(10_000);
    const clients = Array.from({ length: CONNECTIONS }, () => opened('GET /api/v1/live HTTP/1.1\r\nHost: a\r\n'));
    await until(async () => (await openConnections()) >= CONNECTIONS);
    server.maxConnections = await openConnections();
    try {
      const late = Array.from({ length: CONNECTIONS }, () => opened('GET /api/v1/live HTTP/1.1\r\nHost: a\r\n\r\n'));
      await Promise.all(late.map(({ ended }) => ended));
      expect(late.map(({ response }) => response()).join('')).toBe('');
    } finally {
      server.maxConnections = maxConnections;
    }
    for (const { socket } of clients) socket.write('Connection: close\r\n\r\n');
    await Promise.all(clients.map(({ ended }) => ended));
    for (const { response } of clients) expect(response()).toMatch(/^HTTP\/1\.1 200 /);
    await isServed();
  });
});
