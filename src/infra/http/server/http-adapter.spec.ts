import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Express } from 'express';
import { HttpAdapter } from './http-adapter';

describe('HttpAdapter', () => {
  const adapter = new HttpAdapter();
  adapter.initHttpServer();
  const server: Server = adapter.getHttpServer();
  const express: Express = adapter.getInstance();
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => server.close());

  // red when: the server creates messages with the classes of Node
  it('creates requests and responses with the prototypes that Express would give them', async () => {
    let created: object[] = [];
    server.prependOnceListener('request', (request: IncomingMessage, response: ServerResponse) => {
      created = [request, response].map((message) => Object.getPrototypeOf(message) as object);
    });
    express.use((_request, response) => void response.status(418).json({ a: 1 }));
    const response = await fetch(url());
    expect([response.status, await response.json()]).toEqual([418, { a: 1 }]);
    expect(created[0]).toBe(express.request);
    expect(created[1]).toBe(express.response);
  });
});
