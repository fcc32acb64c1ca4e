import { once } from 'node:events';
import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Express } from 'express';
import { bytesOfText } from '#infra/fragments/json-bytes';
import { JsonText } from '#infra/http/response/json-text';
import { HttpAdapter } from '#infra/http/server/http-adapter';

describe('a reply of the server', () => {
  const bodies = [
    { text: 'ä\u2028' },
    [],
    null,
    'text',
    7,
    { long: 'ä'.repeat(5_000) },
    { long: 'ä'.repeat(50_000) },
    new JsonText(bytesOfText('{"a":"ä☃"}')),
    new JsonText(bytesOfText(`"${'ä'.repeat(50_000)}"`)),
    new Date(0),
  ];
  const servers: Server[] = [];
  const listen = async (fastPaths: 'on' | 'off'): Promise<string> => {
    const adapter = new HttpAdapter({ fastPaths });
    adapter.initHttpServer();
    const app: Express = adapter.getInstance();
    app.set('etag', false).disable('x-powered-by');
    app.get('/typed', (_request, response) => adapter.reply(response.type('application/problem+json'), {}));
    app.get('/tagged', (_request, response) => adapter.reply(response.set('ETag', '"1"'), {}));
    app.get('/empty', (_request, response) => adapter.reply(response, {}, 204));
    app.get('/:index', (request, response) => adapter.reply(response, bodies[Number(request.params.index)], 201));
    const server: Server = adapter.getHttpServer();
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  let plain: string;
  let fast: string;
  beforeAll(async () => {
    plain = await listen('off');
    fast = await listen('on');
  });
  afterAll(() => {
    for (const server of servers) server.close().closeAllConnections();
  });

  const answer = async (url: string, options: RequestInit): Promise<unknown> => {
    const response = await fetch(url, options);
    const headers = [...response.headers].filter(([name]) => name !== 'date');
    return { status: response.status, headers, body: await response.text() };
  };

  // red when: a status without a body, a content type or a conditional request is not left to Express
  it.each(['typed', 'tagged', 'empty', ...bodies.keys(), 99])(
    'has the status, headers and bytes that Express sends (/%s)',
    async (path) => {
      for (const method of ['GET', 'HEAD'])
        for (const headers of [new Headers(), new Headers({ 'If-None-Match': '"1"' })])
          expect(await answer(`${fast}/${path}`, { method, headers })).toEqual(
            await answer(`${plain}/${path}`, { method, headers }),
          );
    },
  );
});
