import { once } from 'node:events';
import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { bytesOfText } from '#infra/fragments/json-bytes';
import { writeJsonAtOnce } from './json-response';
import { JsonText } from './json-text';

describe('a JSON response that is written at once', () => {
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
  ];
  const servers: Server[] = [];
  const listen = async (app: Express): Promise<string> => {
    app.set('etag', false).disable('x-powered-by');
    app.get('/typed', (_request, response) => void response.type('application/problem+json').json({}));
    app.get('/empty', (_request, response) => void response.status(204).json({}));
    app.get('/:index', (request, response) => void response.status(201).json(bodies[Number(request.params.index)]));
    const server = app.listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  let plain: string;
  let atOnce: string;
  beforeAll(async () => {
    plain = await listen(express());
    const app = express();
    writeJsonAtOnce(app);
    atOnce = await listen(app);
  });
  afterAll(() => {
    for (const server of servers) server.close().closeAllConnections();
  });

  const answer = async (url: string, options: RequestInit): Promise<unknown> => {
    const response = await fetch(url, options);
    const headers = [...response.headers].filter(([name]) => name !== 'date');
    return { status: response.status, headers, body: await response.text() };
  };
  const paths = ['/typed', '/empty', ...bodies.keys(), 99].map((path) =>
    typeof path === 'number' ? `/${path}` : path,
  );

  it.each(paths)('has the status, headers and bytes that Express sends (%s)', async (path) => {
    for (const method of ['GET', 'HEAD'])
      for (const headers of [new Headers(), new Headers({ 'If-None-Match': '*' })])
        expect(await answer(atOnce + path, { method, headers })).toEqual(
          await answer(plain + path, { method, headers }),
        );
  });
});
