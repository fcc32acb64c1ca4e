import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Express } from 'express';
import { HttpAdapter } from '#infra/http/server/http-adapter';

describe.each([
  ['on', true],
  ['off', false],
] as const)('messages of a server with FAST_PATHS=%s', (fastPaths, isCreated) => {
  const adapter = new HttpAdapter({ fastPaths });
  adapter.initHttpServer();
  const server: Server = adapter.getHttpServer();
  const express: Express = adapter.getInstance();
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => server.close());

  // red when: the server creates messages with the classes of Node, or Express replaces the prototypes that it has
  it(`${isCreated ? 'are created with' : 'get'} the prototypes of Express`, async () => {
    const prototypes: (readonly [object, object])[] = [];
    const note = (request: IncomingMessage, response: ServerResponse): void =>
      void prototypes.push([Object.getPrototypeOf(request) as object, Object.getPrototypeOf(response) as object]);
    server.prependOnceListener('request', note);
    express.use((request, response) => {
      note(request, response);
      response.status(418).json({ a: 1 });
    });
    const response = await fetch(url());
    expect([response.status, await response.json()]).toEqual([418, { a: 1 }]);
    const [created, handled] = prototypes.map(([request, ofResponse]) => [
      request === express.request,
      ofResponse === express.response,
    ]);
    expect([created, handled]).toEqual([
      [isCreated, isCreated],
      [true, true],
    ]);
  });
});
