import { once } from 'node:events';
import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import express from 'express';
import { SystemClock } from '#infra/clock/system-clock';
import { type AppRequest } from './app-request';
import { requestContext } from './context';

describe('the address of a client behind a proxy', () => {
  let server: Server;
  beforeAll(async () => {
    const app = express();
    app.set('trust proxy', ['127.0.0.1', '192.0.2.1', '2001:db8::1']);
    app.use(requestContext(new SystemClock()) as unknown as express.RequestHandler);
    app.get('/', (request, response) => void response.json((request as unknown as AppRequest).context.sourceIp));
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close().closeAllConnections());

  // red when: an address with a port is no address, so that all clients behind the proxy share one limit
  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['198.51.100.7:50001', '198.51.100.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:50001', '2001:db8::7'],
    ['[::ffff:198.51.100.7]:1', '198.51.100.7'],
    ['203.0.113.5, 198.51.100.7:50001, 192.0.2.1:443', '198.51.100.7'],
    ['198.51.100.7:50001,[2001:db8::1]:443', '198.51.100.7'],
    ['198.51.100.7:', null],
    ['example.com:443', null],
    ['[198.51.100.7', null],
    [`${'['.repeat(4000)}:1`, null],
  ])('of X-Forwarded-For: %j is %j', async (forwarded, address) => {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { 'X-Forwarded-For': forwarded } });
    expect(await response.json()).toBe(address);
  });
});
