import { rawRequest } from '../../support/load/raw-http';
import { TestApp } from '../../support/app/test-app';

describe('addresses that lead nowhere (contract §14)', () => {
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
  const INSIDE = ['/api/v1', '/api/v1/nonsense', '/api/v1/docs/nonsense', '/api/v1/docs/LICENSE', '/assets/nonsense'];

  // red when: setUpApp leaves refuseOtherPaths out (Express answers for itself beside Nest's prefix), or ErrorFilter takes Nest's 404
  // for something else (within it)
  it.each([...OUTSIDE, ...INSIDE])('%s is the envelope', async (path) => {
    for (const accept of ['*/*', 'application/json']) {
      const answer = await rawRequest(app.url + path, { headers: { Accept: accept } });
      expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
      expect(JSON.parse(answer.text)).toEqual({
        error: 'not_found',
        message: expect.any(String) as string,
        details: { request_id: answer.headers['x-request-id'] },
      });
      expect(answer.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
      });
    }
  });

  // red when: nobody calls usePages
  it.each(OUTSIDE)('%s is a page for a person', async (path) => {
    const answer = await rawRequest(app.url + path, { headers: { Accept: 'text/html,*/*;q=0.8' } });
    expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(answer.text).toContain('This link does not work');
  });

  // red when: HTML_ONLY_PATHS takes in the API or the assets
  it.each(INSIDE)('%s is the envelope for a person too', async (path) => {
    const answer = await rawRequest(app.url + path, { headers: { Accept: 'text/html,*/*;q=0.8' } });
    expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
  });
});
