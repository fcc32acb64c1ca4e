import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { ACCESS_COOKIE } from '#modules/auth';
import { PATHS, SCRIPT, writeDashboard } from '../../support/app/built-dashboard';
import { TestApp } from '../../support/app/test-app';
import { rawRequest, type RawResponse } from '../../support/load/raw-http';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('the dashboard', () => {
  let app: TestApp;
  const built = writeDashboard();
  beforeAll(async () => {
    app = await TestApp.start({ dashboard: built.directory });
  });
  afterAll(async () => {
    await app?.stop();
    built.remove();
  });

  const get = (path: string, headers: Record<string, string> = { Accept: BROWSER }): Promise<RawResponse> =>
    rawRequest(app.url + path, { headers });

  describe('its page', () => {
    // red when: a header is missing, or helmet's policy stays
    it('has strict headers', async () => {
      const { status, headers, text } = await get('/login');
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; " +
          "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': expect.stringMatching(/camera=\(\).*clipboard-write=\(self\)$/) as string,
      });
      expect(headers).not.toHaveProperty('etag');
      expect(text).toContain('src="/static/main.a1.js"');
    });

    it.each(PATHS)('opens directly at %s', async (pattern) => {
      const path = pattern.replace(/\$\w+/g, '0b2f7b7e-5a4f-4f0e-9a0c-0d3b8a1c2d3e');
      const { status, text } = await get(`${path}?q=2.1&platform=ios`);
      expect([status, text.slice(0, 15)]).toEqual([200, '<!doctype html>']);
    });

    it('has the licences of the libraries beside it, at an address that does not change', async () => {
      const { status, headers, text } = await get('/static/LICENSES', { Accept: '*/*' });
      expect([status, text]).toEqual([200, 'react 1.2.3\n\nMIT License']);
      expect(headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'public, no-cache',
      });
    });

    it('has no body for HEAD', async () => {
      const head = await rawRequest(`${app.url}/`, { method: 'HEAD', headers: { Accept: BROWSER } });
      const { headers } = await get('/');
      expect([head.status, head.body.length]).toEqual([200, 0]);
      expect(head.headers['content-length']).toBe(headers['content-length']);
    });

    // red when: text/html must be named at the root, too
    it.each(['*/*', 'text/plain, */*;q=0.1', BROWSER])(
      'is sent to a monitor that requests / and accepts %s',
      async (accept) => {
        for (const method of ['GET', 'HEAD']) {
          const { status, headers } = await rawRequest(`${app.url}/`, { method, headers: { Accept: accept } });
          expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
        }
      },
    );

    it.each(['application/json', 'application/json, text/plain, */*', 'application/json, text/html;q=0'])(
      'is not sent to a program that requests / and accepts %s',
      async (accept) => {
        const { status, headers } = await get('/', { Accept: accept });
        expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
      },
    );

    // red when: the pattern alone decides
    it.each(['/login', '/o/acme/members'])('is not sent to a program that requests %s', async (path) => {
      for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0']) {
        const { status, headers } = await get(path, { Accept: accept });
        expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
      }
      const posted = await rawRequest(app.url + path, { method: 'POST', headers: { Accept: BROWSER } });
      expect(posted.status).toBe(404);
    });

    // red when: a visitor sees a navigation before the login, or a developer none before the scripts have arrived
    it.each([
      ['/login', true],
      ['/signup', true],
      ['/', false],
      ['/account', false],
    ])('shows at %s the look of the entrance before its scripts have arrived: %s', async (path, isEntrance) => {
      const { text } = await get(path);
      expect(text.includes('<div class="boot" data-look="entrance"')).toBe(isEntrance);
      expect(text).toContain('<div class="boot"');
    });

    // red when: a cookie's value is written into the page unchecked
    it.each([
      ['', 'en-GB,en;q=0.9', '<html lang="en">'],
      ['', 'de-AT,de;q=0.9,en;q=0.8', '<html lang="de">'],
      ['agate_lang=de', 'en', '<html lang="de">'],
      ['agate_lang=en; agate_theme=dark', 'de', '<html lang="en" data-theme="dark">'],
      ['other=1; agate_theme=light', 'en', '<html lang="en" data-theme="light">'],
      ['agate_lang=fr; agate_theme=system', 'en', '<html lang="en">'],
      ['agate_lang="><script>; agate_theme="><script>', 'en', '<html lang="en">'],
    ])('with the cookies "%s" and the languages %s starts with %s', async (cookie, languages, start) => {
      const { text } = await get('/', { Accept: BROWSER, 'Accept-Language': languages, Cookie: cookie });
      expect(text).toContain(`<!doctype html>${start}`);
      const [chosen, left] = start.includes('"de"') ? ['de.c3', 'en.b2'] : ['en.b2', 'de.c3'];
      expect(text).toContain(`<link rel="modulepreload" crossorigin href="/static/${chosen}.js">`);
      expect(text).not.toContain(left);
      expect(text.match(/main\.a1\.js/g)).toHaveLength(1);
    });

    const ORGANIZATION = '0b2f7b7e-5a4f-4f0e-9a0c-0d3b8a1c2d3e';
    const preloadsOf = async (path: string, cookie: string): Promise<readonly string[]> => {
      const { text } = await get(path, { Accept: BROWSER, Cookie: cookie, 'Accept-Language': 'en' });
      return [...text.matchAll(/<link rel="(?:modulepreload|preload" as="fetch)" crossorigin href="([^"]*)">/g)].map(
        ([, address = '']) => address.replaceAll('&amp;', '&'),
      );
    };

    // red when: a screen loads its files only after the first script has run, or the requests wait behind the files
    it('names the requests, texts and scripts with which its screen begins', async () => {
      expect(await preloadsOf(`/o/${ORGANIZATION}/billing?month=2026-01`, 'dfdeveloper=x')).toEqual([
        '/api/v1/login/session',
        `/api/v1/projects?organization_id=${ORGANIZATION}&limit=50`,
        '/static/en.b2.js',
        '/static/billing-en.b7.js',
        '/static/frame.e5.js',
        '/static/member.f6.js',
      ]);
    });

    // red when: a visitor without a session requests what is rejected, or a part of the path is written into the page unchecked
    it.each([
      ['without a session', `/o/${ORGANIZATION}/members`, ''],
      ['with an organization that is not an id', '/o/%22%3E%3Cscript%3E/members', 'dfdeveloper=x'],
      ['with another screen', '/account', 'dfdeveloper=x'],
    ])('names no request that would fail: %s', async (_, path, cookie) => {
      const preloads = await preloadsOf(path, cookie);
      expect(preloads.filter((address) => address.startsWith('/api'))).toEqual(['/api/v1/login/session']);
      expect((await get(path)).text).not.toContain('<script>');
    });

    // red when: the headers are sent to origins that browsers do not trust, where they log a message for each
    it.each(['/', '/install/unknown'])('is isolated only under a name that browsers trust, as %s is', async (path) => {
      const isolation = { 'cross-origin-opener-policy': 'same-origin', 'origin-agent-cluster': '?1' };
      expect((await get(path, { Accept: BROWSER })).headers).toMatchObject(isolation);
      const { headers } = await get(path, { Accept: BROWSER, Host: 'agate.lan' });
      for (const name of Object.keys(isolation)) expect(headers).not.toHaveProperty(name);
    });
  });

  describe('a file of it', () => {
    it('is cached for a year and never revalidated', async () => {
      const { status, headers } = await get('/static/slice.d4.svg', { Accept: '*/*' });
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'image/svg+xml; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
        'x-content-type-options': 'nosniff',
      });
    });

    // red when: the order of Accept-Encoding wins over ours, as with acceptsEncodings('br', 'gzip')
    it.each([
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip, deflate', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', undefined],
      ['', undefined],
    ])('is sent to a client that accepts "%s" with the encoding %s', async (accepted, encoding) => {
      const { headers, body } = await get('/static/main.a1.js', { 'Accept-Encoding': accepted });
      expect(headers['content-encoding']).toBe(encoding);
      expect(headers['content-length']).toBe(String(body.length));
      expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
      const decoded = encoding === 'br' ? brotliDecompressSync(body) : encoding ? gunzipSync(body) : body;
      expect(decoded.toString()).toBe(SCRIPT);
    });

    it('has no body for HEAD', async () => {
      const head = await rawRequest(`${app.url}/static/main.a1.js`, { method: 'HEAD' });
      expect([head.status, head.body.length]).toEqual([200, 0]);
    });

    // red when: unknown files fall back to the page, which browsers would then parse as a script
    it.each(['x.js', 'main.a1.js.br', '..%2findex.html', 'main.a1.js/x', ''])('is 404 as JSON for %s', async (name) => {
      const { status, headers } = await get(`/static/${name}`);
      expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
      expect(headers['cache-control']).toBe('no-store');
    });
  });

  describe('its paths', () => {
    // red when: the router gets a path such as /install
    it('shadow no path of the service', () => {
      const taken = /^\/(api|install|download|assets|icons|metrics|static)(\/|$)|^\/\$/;
      expect(PATHS).toContain('/o/$org/p/$project/builds/$build');
      expect(PATHS.filter((path) => taken.test(path))).toEqual([]);
    });

    // red when: the page of a mistyped address has no way into the dashboard, or that of a link for testers has one
    it.each([
      ['/nonsense', true],
      ['/install/x', false],
      ['/download/x', false],
      ['/o', true],
      ['/login/x', true],
    ])('leave %s to the pages of the service, with a link to the dashboard: %s', async (path, hasLink) => {
      const person = await get(path);
      expect([person.status, person.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(person.text).toContain(hasLink ? 'This page does not exist' : 'This link does not work');
      expect(person.text.includes('href="/">Open the dashboard')).toBe(hasLink);
      const program = await get(path, { Accept: '*/*' });
      expect([program.status, program.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
    });

    // red when: a form, or a path that cannot be decoded, gets the page of a reader who opened an unknown path
    it.each([
      ['GET', '/nonsense', 404, true],
      ['POST', '/nonsense', 404, false],
      ['GET', '/o/%E0%A4%A/x', 400, false],
    ])(
      'respond to %s %s of a reader with a session with %d, in the frame: %s',
      async (method, path, status, isFramed) => {
        const headers = { Accept: BROWSER, Cookie: `${ACCESS_COOKIE}=x` };
        const response = await rawRequest(app.url + path, { method, headers });
        expect([response.status, response.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
        expect(response.text.includes('src="/static/main.a1.js"')).toBe(isFramed);
      },
    );

    // red when: only the paths of the router get the page
    it.each(['/o/acme/nonsense', '/o/acme/p/rocket/nonsense/x'])('show %s in the frame, as missing', async (path) => {
      const person = await get(path);
      expect([person.status, person.text.slice(0, 15)]).toEqual([404, '<!doctype html>']);
      expect(person.text).toContain('src="/static/main.a1.js"');
      const program = await get(path, { Accept: '*/*' });
      expect([program.status, program.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
    });

    it.each(['/api/v1/x', '/api/v1/login/x', '/assets/x', '/icons/x'])('leave %s to the API', async (path) => {
      const { status, headers } = await get(path);
      expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
    });
  });
});

describe('the dashboard', () => {
  const built = writeDashboard();
  let app: TestApp | undefined;
  afterEach(() => app?.stop());
  afterAll(() => built.remove());

  const statusOfRoot = async (): Promise<number> =>
    (await rawRequest(`${app!.url}/`, { headers: { Accept: BROWSER } })).status;

  it.each([
    ['DASHBOARD is false', { DASHBOARD: 'false' }, built.directory],
    ['BASE_URL has a path', { BASE_URL: 'http://localhost:3000/agate' }, built.directory],
    ['does not exist', {}, `${built.directory}/missing`],
  ])('is not served when %s, and the log says so', async (reason, environment, dashboard) => {
    app = await TestApp.start({ environment, dashboard });
    expect(await statusOfRoot()).toBe(404);
    expect(app.logLines.filter((line) => line.includes('The dashboard is not served'))).toEqual([
      expect.stringContaining(reason),
    ]);
  });

  // red when: the page or its files have no limit, or count in the same counter
  it('limits the requests of an address, for its page and for its files', async () => {
    const environment = { RATE_LIMIT_FACTOR: '1', RATE_LIMIT_PAGE: '2', RATE_LIMIT_ASSET: '2' };
    app = await TestApp.start({ environment, dashboard: built.directory });
    const file = async (): Promise<number> => (await rawRequest(`${app!.url}/static/main.a1.js`)).status;
    expect([await statusOfRoot(), await statusOfRoot(), await statusOfRoot()]).toEqual([200, 200, 429]);
    expect([await file(), await file(), await file()]).toEqual([200, 200, 429]);
  });
});
