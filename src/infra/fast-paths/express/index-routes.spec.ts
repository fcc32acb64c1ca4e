import { once } from 'node:events';
import { request as send, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { indexRoutes } from './index-routes';

const ROUTES = [
  '/api/v1/builds/uploads',
  '/api/v1/builds/:id',
  '/api/v1/builds',
  '/api/v1/builds/:id/icons/:name',
  '/api/v1/live',
  '/updates/:key',
  '/updates/:key/latest.yml',
  '/install/*path',
  '/api/v1/*path',
  '/one{/two}',
  '/:any',
];

describe('indexRoutes', () => {
  const servers: Server[] = [];
  /** The number of layers that were compared with requests. */
  let compared = 0;
  const listen = async (prepare: (app: Express) => void): Promise<number> => {
    const app = express();
    // The response without the stack traces of errors.
    app.set('env', 'production');
    prepare(app);
    app.use((_request, response, next) => {
      response.setHeader('X-Middleware', 'yes');
      next();
    });
    for (const path of ROUTES)
      app.get(path, ({ params, baseUrl, url, route }, response) => {
        response.json({ params, baseUrl, url, route: (route as { path: string }).path });
      });
    app.post('/api/v1/builds', (_request, response) => void response.sendStatus(201));
    for (const layer of app.router.stack as unknown as { match: (path: string) => unknown }[]) {
      const match = layer.match.bind(layer);
      layer.match = (path) => ((compared += 1), match(path));
    }
    const server = app.listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  let plain: number;
  let indexed: number;
  beforeAll(async () => {
    plain = await listen(() => undefined);
    indexed = await listen((app) => indexRoutes(app, 'api/v1'));
  });
  afterAll(() => {
    for (const server of servers) server.close().closeAllConnections();
  });

  /** The request does not use `fetch`, which normalizes paths. */
  const answerOf = async (port: number, method: string, path: string): Promise<unknown> => {
    const request = send({ port, host: '127.0.0.1', method, path, agent: false }).end();
    const [response] = (await once(request, 'response')) as [
      NodeJS.ReadableStream & { statusCode: number; headers: object },
    ];
    let body = '';
    for await (const chunk of response) body += String(chunk);
    const { date: _date, ...headers } = response.headers as Record<string, unknown>;
    return { status: response.statusCode, headers, body };
  };

  // red when: a request is not compared with all routes that match its path, or not in their order
  it.each([
    ...[
      '/api/v1/builds',
      '/API/V1/Builds/',
      '/api/v1/builds?a=/b',
      '/api/v1/builds/uploads',
      '/api/v1/builds/7/icons/a',
    ],
    ...[
      '/api/v1/live',
      '/api/v1/live/x',
      '/api/v1',
      '/api/v1/',
      '/api/v1//builds',
      '/api/v1/unknown',
      '/api/v1/%62uilds',
    ],
    ...[
      '/updates/k',
      '/updates',
      '/updates/k/latest.yml',
      '/updates/%zz',
      '/install/a/b',
      '/one',
      '/one/two',
      '/x',
      '/',
    ],
    ...['//builds', '/api/v1/builds#x', '/api/v1/builds:x', 'http://a.example/api/v1/builds', '*', '/api/v1/toString'],
  ])('answers %s as Express does', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS'])
      expect(await answerOf(indexed, method, path)).toEqual(await answerOf(plain, method, path));
  });

  // red when: a request is compared with every route
  it('compares a request only with routes that start with the same segment', async () => {
    compared = 0;
    await answerOf(indexed, 'GET', '/updates/k');
    // The middleware and the route.
    expect(compared).toBe(2);
  });
});
