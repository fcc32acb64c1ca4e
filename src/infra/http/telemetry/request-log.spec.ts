import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { type Response } from 'express';
import { pino } from 'pino';
import { newToken } from '#kernel/access/token-format';
import { ANONYMOUS, type Identity } from '#kernel/context/identity';
import { Logger } from '#infra/logging/logger';
import { type AppRequest } from '../request/app-request';
import { requestLog } from './request-log';

const ANN: Identity = { kind: 'jwt', developerId: 'ann', email: 'ann@example.com', emailVerified: true };
const clock = { now: () => new Date(0) };

/** The log line of a request whose identity is set while it is processed. */
async function lineOf(path: string, status: number, identity: Identity): Promise<string> {
  const lines: string[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  const log = requestLog(new Logger(pino({ base: null, timestamp: false }, destination)));
  const server = createServer((message, response) => {
    const request = Object.assign(message as unknown as AppRequest, { originalUrl: message.url ?? '' });
    request.context = { requestId: 'r-1', sourceIp: '203.0.113.7', identity: ANONYMOUS, clock };
    log(request, response as unknown as Response, () => {
      request.context = { ...request.context, identity };
      response.writeHead(status).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  server.closeAllConnections();
  await once(server.close(), 'close');
  expect(lines).toHaveLength(1);
  return lines[0]!;
}

describe('the log line of a request', () => {
  it.each([
    [ANN, 200, 'developer:ann'],
    [ANN, 503, 'developer:ann'],
    [ANONYMOUS, 404, 'anonymous'],
  ])('contains the caller and its address exactly once (%j, %i)', async (identity, status, principal) => {
    const line = await lineOf('/api/v1/builds?cursor=x', status, identity);
    const fields = { requestId: 'r-1', sourceIp: '203.0.113.7', principal, msg: `GET /api/v1/builds ${status}` };
    expect(JSON.parse(line)).toMatchObject({ ...fields, responseTime: expect.any(Number) as number });
    // red when: a field is added at the start and again at the end of a request
    for (const field of Object.keys(fields)) expect([field, line.split(`"${field}":`).length - 1]).toEqual([field, 1]);
  });

  it('hides tokens in the path, and the query', async () => {
    const token = newToken('ag_ref_');
    expect(JSON.parse(await lineOf(`/install/${token}?a=${token}`, 200, ANONYMOUS))).toMatchObject({
      msg: 'GET /install/[token] 200',
    });
    expect(await lineOf(`/api/v1/x/${token}`, 200, ANONYMOUS)).not.toContain(token);
  });
});
