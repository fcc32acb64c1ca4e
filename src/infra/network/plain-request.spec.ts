import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { OutgoingAgents } from './outgoing-agents';
import { type PlainContent, plainRequest, type PlainResponse } from './plain-request';

const CHUNK = Buffer.alloc(64 * 1024, 'x');
/** A correct reader never takes this much. The limit keeps a faulty one from exhausting the memory of the tests. */
const MAX_SENT = 256 * 1024 ** 2;

describe('plainRequest', () => {
  const agents = new OutgoingAgents({});
  let server: Server | undefined;
  let sent = 0;
  afterEach(() => server?.close());
  afterAll(() => agents.close());

  /** A server that passes each connection to `serve`, after the request has begun. */
  async function startServer(serve: (socket: Socket) => void): Promise<string> {
    server = createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => serve(socket));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server?.once('listening', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  /** Writes a text without an end, as fast as the client reads. */
  function floods(socket: Socket, text: Buffer): void {
    sent = 0;
    const more = (): void => {
      while (!socket.destroyed && sent < MAX_SENT) {
        sent += text.length;
        if (!socket.write(text)) return;
      }
    };
    socket.on('drain', more);
    more();
  }

  const drips = (socket: Socket, text: string): void => {
    const timer = setInterval(() => socket.write(text), 20);
    socket.once('close', () => clearInterval(timer));
  };

  const send = (url: string, timeoutMs = 60_000, content: PlainContent = {}): Promise<PlainResponse> =>
    plainRequest(agents, 'POST', url, AbortSignal.timeout(timeoutMs), { headers: { Connection: 'close' }, ...content });

  // red when: there is no listener of `upgrade`: the promise stays pending, also after the signal has aborted
  it('resolves with 101 when the server switches protocols, and closes the connection', async () => {
    let isClosed: Promise<unknown> | undefined;
    const url = await startServer((socket) => {
      isClosed = new Promise((resolve) => socket.once('close', resolve));
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nmore');
    });
    expect(await send(url)).toMatchObject({ status: 101, body: Buffer.alloc(0) });
    await isClosed;
  });

  it('passes over a few interim responses', async () => {
    const interim = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n';
    const url = await startServer((socket) => socket.end(`${interim}HTTP/1.1 204 No Content\r\n\r\n`));
    expect(await send(url)).toMatchObject({ status: 204 });
  });

  // red when: interim responses are not counted; the server then sends until the timeout
  it('rejects a server that sends interim responses without an end', async () => {
    const url = await startServer((socket) =>
      floods(socket, Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'.repeat(2_000))),
    );
    await expect(send(url)).rejects.toThrow('interim');
    expect(sent).toBeLessThan(16 * 1024 ** 2);
  });

  it('rejects headers without an end, and trailers without an end', async () => {
    const headers = Buffer.from(`${'X-More: 1234567890\r\n'.repeat(1_000)}`);
    const url = await startServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      floods(socket, headers);
    });
    await expect(send(url)).rejects.toThrow('Header overflow');
    expect(sent).toBeLessThan(16 * 1024 ** 2);
    server?.close();
    const second = await startServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n');
      floods(socket, headers);
    });
    await expect(send(second)).rejects.toThrow();
    expect(sent).toBeLessThan(16 * 1024 ** 2);
  });

  // red when: the body is read to its end
  it('closes the connection of a body of a gigabyte after the part that is kept', async () => {
    const url = await startServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${1024 ** 3}\r\n\r\n`);
      floods(socket, CHUNK);
    });
    const { status, body } = await send(url, 60_000, { maxBytes: 1_024 });
    expect([status, body.length]).toEqual([200, 1_024]);
    expect(sent).toBeLessThan(64 * 1024 ** 2);
  });

  // red when: the signal is not passed to the request; each byte then begins the time of the idle connection again
  it.each([
    ['the status line', 'HTTP/1.1 200 ', 'O'],
    ['headers', 'HTTP/1.1 200 OK\r\n', 'X: 1\r\n'],
    ['the body', 'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n', 'x'],
  ])('ends with the signal when the server drips %s', async (_part, first, drip) => {
    const url = await startServer((socket) => {
      socket.write(first);
      drips(socket, drip);
    });
    const started = performance.now();
    await expect(send(url, 400)).rejects.toThrow();
    expect(performance.now() - started).toBeLessThan(60_000);
  });
});
