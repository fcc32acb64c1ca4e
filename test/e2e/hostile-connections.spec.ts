import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { bytesTo, rawRequest } from '../support/load/raw-http';
import { TestApp } from '../support/app/test-app';

jest.setTimeout(180_000);

const CONNECTIONS = 200;
/** Reliability K9 says half a second; this machine may be busy with other tests. */
const PROMPT_MS = 5_000;

/** All but `setTimeout`. */
const REAL = [
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

/** A whole second request, where it must not be taken for one. Where it is, the connection ends with it. */
const SMUGGLED = 'GET /api/v1/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const post = (...headers: string[]): string =>
  `${['POST /api/v1/login/email HTTP/1.1', 'Host: a', 'Content-Type: application/json', ...headers].join('\r\n')}\r\n\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked';

describe('a connection of somebody who means harm (reliability K9)', () => {
  let app: TestApp;
  beforeAll(async () => {
    // Jobs have time limits, too, which are not to pass while they wait for the database.
    app = await TestApp.start({ worker: false });
  });
  afterAll(() => app.stop());

  // red when: the server has `insecureHTTPParser: true` (a length beside chunks, the space before the colon, the bare line feed in the
  // head), or rejectMalformedRequests is not installed (all of them). The others Node refuses in any case.
  it.each([
    ['a length beside chunks', `${post('Content-Length: 4', CHUNKED)}0\r\n\r\n${SMUGGLED}`],
    ['chunks beside a length', `${post(CHUNKED, 'Content-Length: 4')}0\r\n\r\n${SMUGGLED}`],
    ['two lengths', `${post('Content-Length: 2', `Content-Length: ${2 + SMUGGLED.length}`)}{}${SMUGGLED}`],
    ['a list of lengths', `${post('Content-Length: 2, 40')}{}${SMUGGLED}`],
    ['a length with a sign', `${post('Content-Length: +2')}{}${SMUGGLED}`],
    ['a length below zero', `${post('Content-Length: -2')}{}${SMUGGLED}`],
    ['a length in hexadecimal', `${post('Content-Length: 0x2')}{}${SMUGGLED}`],
    ['chunks under another name', `${post('Transfer-Encoding: xchunked')}0\r\n\r\n${SMUGGLED}`],
    ['chunks that are not last', `${post('Transfer-Encoding: chunked, identity')}0\r\n\r\n${SMUGGLED}`],
    ['a space before the colon', `${post('Transfer-Encoding : chunked')}0\r\n\r\n${SMUGGLED}`],
    ['a folded header', `${post('Transfer-Encoding:\r\n chunked')}0\r\n\r\n${SMUGGLED}`],
    ['a control character in a header', `${post('X-Note: a\u0000b', 'Content-Length: 2')}{}${SMUGGLED}`],
    ['a bare line feed in the head', `${post('X-Note: a\nTransfer-Encoding: chunked')}0\r\n\r\n${SMUGGLED}`],
    ['a chunk whose size is no number', `${post(CHUNKED)}zz\r\n{}\r\n0\r\n\r\n${SMUGGLED}`],
    ['a chunk with a sign', `${post(CHUNKED)}-2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`],
    ['a chunk with 0x', `${post(CHUNKED)}0x2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`],
    ['a chunk of 2^64 and two bytes', `${post(CHUNKED)}10000000000000002\r\n{}\r\n0\r\n\r\n${SMUGGLED}`],
    ['a chunk longer than it says', `${post(CHUNKED)}1\r\n{}\r\n0\r\n\r\n${SMUGGLED}`],
    ['chunks that end in bare line feeds', `${post(CHUNKED)}2\n{}\n0\n\n${SMUGGLED}`],
  ])('%s: one answer, 400, and the connection ends', async (_case, bytes) => {
    const answer = await bytesTo(app.url, bytes);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
    expect(answer).toContain('Connection: close');
    expect(answer).toContain('"error":"validation_error"');
  });

  // red when: a CONNECT is answered and its connection kept
  it('a CONNECT: one answer, and what follows is no request', async () => {
    const answer = await bytesTo(app.url, `CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n${SMUGGLED}`);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404']);
  });

  // red when: a request without Host, or whose expectation is not met, keeps its connection with a body unread
  it.each([
    ['without Host', ''],
    ['whose expectation is not met', 'Host: a\r\nExpect: 200-ok\r\n'],
  ])('a request %s: what it sends after its head is no request', async (_case, headers) => {
    const bytes = `POST /api/v1/login/email HTTP/1.1\r\n${headers}Content-Length: ${SMUGGLED.length + 1}\r\n\r\n${SMUGGLED}`;
    const answer = await bytesTo(app.url, bytes);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
    expect(answer).toContain('Connection: close');
  });

  /** A client that sends so much and then waits. */
  const opened = (bytes: string): { socket: Socket; answer: () => string; ended: Promise<void> } => {
    let text = '';
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1', () => socket.write(bytes));
    const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.on('data', (chunk) => (text += chunk.toString())).on('error', () => undefined);
    return { socket, answer: () => text, ended };
  };
  const openConnections = (): Promise<number> =>
    new Promise((resolve, reject) =>
      app.nest.getHttpServer().getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  const isServed = async (): Promise<void> => {
    const start = performance.now();
    expect((await rawRequest(`${app.url}/api/v1/live`)).status).toBe(200);
    expect((await rawRequest(`${app.url}/api/v1/ready`)).status).toBe(200);
    expect(performance.now() - start).toBeLessThan(PROMPT_MS);
  };

  describe('that takes its time', () => {
    // The time limits of what follows are minutes: they pass when the test says so. Sockets and the database go on.
    beforeEach(() => {
      jest.useFakeTimers({ doNotFake: [...REAL] });
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    const LONG = 'Content-Length: 100000';
    const unread = (path: string, type: string): string =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\n${LONG}\r\n\r\n`;
    const TOO_SLOW = /^HTTP\/1\.1 400 [^]*took too long to arrive/;
    const slow: readonly { what: string; bytes: string; drip: string; answer: RegExp }[] = [
      { what: 'bodies that are read', bytes: `${post(LONG)}{"email":`, drip: ' ', answer: TOO_SLOW },
      { what: 'chunks that are read', bytes: `${post(CHUNKED)}2\r\n{"\r\n`, drip: '1\r\n \r\n', answer: TOO_SLOW },
      {
        what: 'bodies that nobody reads',
        bytes: unread('/api/v1/login/email', 'text/plain'),
        drip: ' ',
        answer: /^HTTP\/1\.1 400 /,
      },
      {
        what: 'uploads that nobody admitted',
        bytes: unread('/api/v1/builds', 'multipart/form-data; boundary=b'),
        drip: '-',
        answer: /^HTTP\/1\.1 401 /,
      },
    ];
    // red when: body-parsers has no time limit (what is read), or closeSlowConnections is not installed (what nobody reads is dropped for
    // ever): the test runs into its own limit
    it.each(slow)(
      'in $what: others are served, and after some minutes it is answered and ended',
      async ({ bytes, drip, answer: expected }) => {
        const clients = Array.from({ length: CONNECTIONS }, () => opened(bytes));
        // A byte now and then, so that no connection is ever idle.
        const dripping = setInterval(() => {
          for (const { socket } of clients) if (socket.writable) socket.write(drip);
        }, 500);
        try {
          while ((await openConnections()) < CONNECTIONS) await sleep(10);
          await isServed();
          for (let minute = 0; minute < 2; minute++) {
            await jest.advanceTimersByTimeAsync(60_000);
            while (clients.some(({ answer }) => answer() === '')) await sleep(10);
            await isServed();
          }
          await jest.advanceTimersByTimeAsync(60_000);
          await Promise.all(clients.map(({ ended }) => ended));
        } finally {
          clearInterval(dripping);
          for (const { socket } of clients) socket.destroy();
        }
        for (const { answer } of clients) expect(answer()).toMatch(expected);
        await isServed();
      },
    );
  });

  // red when: headersTimeout is 0. Node looks at its connections each half minute.
  it('that takes its time with the head: others are served, and it is answered and ended', async () => {
    const server = app.nest.getHttpServer();
    const { headersTimeout } = server;
    expect(headersTimeout).toBe(60_000);
    const clients = Array.from({ length: CONNECTIONS }, () => opened('GET /api/v1/live HTTP/1.1\r\nHost: a\r\nX-A: '));
    while ((await openConnections()) < CONNECTIONS) await sleep(10);
    await isServed();
    server.headersTimeout = 1_000;
    try {
      await Promise.all(clients.map(({ ended }) => ended));
    } finally {
      server.headersTimeout = headersTimeout;
    }
    for (const { answer } of clients) expect(answer()).toMatch(/^HTTP\/1\.1 400 [^]*took too long to arrive/);
    await isServed();
  });
});
