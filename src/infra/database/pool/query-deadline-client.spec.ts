import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TICK_MS } from '#infra/concurrency/ticks';
import { QueryDeadlineClient } from './query-deadline-client';

const TICKS = 3;
/** AuthenticationOk and ReadyForQuery. */
const WELCOME = Buffer.from([
  ...Buffer.from('R'),
  0,
  0,
  0,
  8,
  0,
  0,
  0,
  0,
  ...Buffer.from('Z'),
  0,
  0,
  0,
  5,
  ...Buffer.from('I'),
]);

describe('QueryDeadlineClient', () => {
  let server: Server;
  let greets: boolean;
  const sockets: Socket[] = [];
  beforeEach(async () => {
    server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined).once('data', () => greets && socket.write(WELCOME));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
  });
  const connect = async (): Promise<QueryDeadlineClient> => {
    const { port } = server.address() as AddressInfo;
    const client = new QueryDeadlineClient({ host: '127.0.0.1', port, user: 'agate', openTicks: TICKS });
    await client.connect();
    return client;
  };

  // red when: opening a connection has no limit
  it('fails to open a connection to a server that does not respond', async () => {
    greets = false;
    await expect(connect()).rejects.toThrow('timeout exceeded when trying to connect');
  });

  // red when: the wait is measured by a clock, as by pg's connectionTimeoutMillis
  it('opens a connection after a stall of the process', async () => {
    greets = true;
    const connected = connect();
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, (TICKS + 1) * TICK_MS));
    await (await connected).end();
  });

  // red when: the limit of opening applies to an open connection
  it('keeps an open connection', async () => {
    greets = true;
    const client = await connect();
    let isBroken = false;
    client.on('error', () => (isBroken = true));
    await sleep((TICKS + 1) * TICK_MS);
    await client.end();
    expect(isBroken).toBe(false);
  });
});
