import { TestApp } from '../../support/app/test-app';
import { rawRequest } from '../../support/load/raw-http';

describe('a request to an unknown path', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  const OUTSIDE = [
    '/',
    '/nonsense',
    '/install',
    '/install/',
    '/install/a/b/c',
    '/download/a',
    '/favicon.ico',
    '/api',
    '/api/v1x',
  ];
  const INSIDE = [
    '/api/v1',
    '/api/v1/nonsense',
    '/api/v1/docs/nonsense',
    '/api/v1/docs/LICENSE',
    '/assets/nonsense',
    '/icons/nonsense',
    '/static/nonsense.js',
  ];

  // red when: serveOtherPaths does not use rejectUnknownPath (Express responds itself outside Nest's prefix), or ErrorFilter does
  // not map Nest's 404 (inside it)
  it.each([...OUTSIDE, ...INSIDE])('gets the JSON envelope for %s', async (path) => {
    for (const accept of ['*/*', 'application/json']) {
      const response = await rawRequest(app.url + path, { headers: { Accept: accept } });
      expect([response.status, response.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
      expect(JSON.parse(response.text)).toEqual({
        error: 'not_found',
        message: expect.any(String) as string,
        details: { request_id: response.headers['x-request-id'] },
      });
      expect(response.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
      });
    }
  });

  // red when: usePages is not called
  it.each(OUTSIDE)('gets an HTML page for %s in a browser', async (path) => {
    const response = await rawRequest(app.url + path, { headers: { Accept: 'text/html,*/*;q=0.8' } });
    expect([response.status, response.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    const isForTesters = /^\/(install|download)/.test(path);
    expect(response.text).toContain(isForTesters ? 'This link does not work' : 'This page does not exist');
  });

  // red when: HTML_ONLY_PATHS matches the API or static files
  it.each(INSIDE)('gets the JSON envelope for %s in a browser, too', async (path) => {
    const response = await rawRequest(app.url + path, { headers: { Accept: 'text/html,*/*;q=0.8' } });
    expect([response.status, response.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
  });
});
