import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { buildHelp } from '../../../scripts/help/build-help.mjs';
import { TestApp } from '../../support/app/test-app';
import { rawRequest, type RawResponse } from '../../support/load/raw-http';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

describe('the documents at /help', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'agate-help-'));
  buildHelp(path.resolve(__dirname, '../../..'), directory);
  const mailPage = path.join(directory, 'pages/mail.html');
  writeFileSync(`${mailPage}.gz`, gzipSync(readFileSync(mailPage)));
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({ help: directory });
  });
  afterAll(async () => {
    await app?.stop();
    rmSync(directory, { recursive: true });
  });

  const get = (address: string, headers: Record<string, string> = { Accept: BROWSER }): Promise<RawResponse> =>
    rawRequest(app.url + address, { headers });

  // red when: a header is missing, or helmet's policy stays
  it('are pages without scripts that nobody may frame or index', async () => {
    const { status, headers, text } = await get('/help');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-language': 'en',
      'content-security-policy': POLICY,
      'cache-control': 'public, no-cache',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      vary: 'Accept-Encoding',
    });
    expect(text).toMatch(/^<!doctype html>\s*<html lang="en">/);
    expect(text).not.toMatch(/<script|\sstyle=|\son\w+=/);
  });

  it.each(['/help', '/help/', '/help/mail', '/help/errors/not_found', '/help/ci', '/help/changes'])(
    'are served at %s to browsers and programs',
    async (address) => {
      for (const accept of [BROWSER, '*/*', 'application/json']) {
        const { status, headers } = await get(address, { Accept: accept });
        expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      }
    },
  );

  it('say their language', async () => {
    const { headers, text } = await get('/help/android-verification.de');
    expect(headers['content-language']).toBe('de');
    expect(text).toContain('<main id="content" tabindex="-1" lang="de">');
  });

  it('have scripts of CI beside them, as text', async () => {
    const { status, headers, text } = await get('/help/ci/upload.sh');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text).toMatch(/^#!/);
  });

  it('are revalidated, each encoding by itself', async () => {
    const plain = await get('/help/mail');
    const packed = await get('/help/mail', { 'Accept-Encoding': 'gzip, br' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.body).toString()).toBe(plain.text);
    const [tag, packedTag] = [plain, packed].map(({ headers }) => String(headers.etag));
    expect(tag).not.toBe(packedTag);
    const again = (headers: Record<string, string>) => get('/help/mail', headers);
    expect((await again({ 'If-None-Match': tag! })).status).toBe(304);
    expect((await again({ 'If-None-Match': packedTag!, 'Accept-Encoding': 'gzip' })).status).toBe(304);
    expect((await again({ 'If-None-Match': packedTag! })).status).toBe(200);
  });

  it('have no body for HEAD', async () => {
    const head = await rawRequest(`${app.url}/help/mail`, { method: 'HEAD' });
    expect([head.status, head.body.length]).toEqual([200, 0]);
    expect(head.headers['content-length']).toBe((await get('/help/mail')).headers['content-length']);
  });

  it('have styles and pictures that are never revalidated', async () => {
    const { text } = await get('/help');
    const found = [...text.matchAll(/(?:href|src)="(\/help\/assets\/[^"]+)"/g)].map(([, address]) => address!);
    expect(new Set(found.map((address) => path.extname(address)))).toEqual(new Set(['.css', '.svg']));
    for (const address of found) {
      const { status, headers } = await get(address, { Accept: '*/*' });
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
      expect(headers['content-type']).toMatch(/^(text\/css|image\/svg\+xml); charset=utf-8$/);
      expect(headers['content-security-policy']).toBe(POLICY);
    }
  });

  it('take the colours of the other pages', async () => {
    const { text } = await get('/help');
    const { text: css } = await get(/\/help\/assets\/help\.[^"]+\.css/.exec(text)![0]);
    expect(css.match(/--ground: #\w{6}/g)).toEqual(['--ground: #f1eee8', '--ground: #131719']);
    const used = new Set([...css.matchAll(/var\(--([\w-]+)\)/g)].map(([, name]) => name!));
    expect([...used].filter((name) => !css.includes(`--${name}:`))).toEqual([]);
  });

  // red when: the style sheet is kept for readers with another choice, or a cookie is written into it
  it.each([
    ['', ''],
    ['agate_theme=dark', 'dark'],
    ['other=1; agate_theme=light', 'light'],
    ['agate_theme=}body{', ''],
  ])('have, with the cookie "%s", the theme "%s"', async (cookie, theme) => {
    const { status, headers, text } = await get('/help/theme.css', { Cookie: cookie });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'private, no-cache',
      vary: 'Cookie, Accept-Language',
    });
    expect(/color-scheme: (.*);/.exec(text)?.[1] ?? '').toBe(theme);
    const again = await get('/help/theme.css', { Cookie: cookie, 'If-None-Match': String(headers.etag) });
    expect(again.status).toBe(304);
    const other = await get('/help/theme.css', { Cookie: 'agate_theme=other', 'If-None-Match': String(headers.etag) });
    expect(other.status).toBe(theme === '' ? 304 : 200);
  });

  // red when: readers of German are not told that the documents are in English, or the line depends on the page and not on the reader
  it('tell only readers of German, in German, that they are in English', async () => {
    const isTold = async (headers: Record<string, string>): Promise<boolean> =>
      (await get('/help/theme.css', headers)).text.includes('.in-english { display: block; }');
    expect(await isTold({ 'Accept-Language': 'de-CH, en;q=0.5' })).toBe(true);
    expect(await isTold({ 'Accept-Language': 'de', Cookie: 'agate_lang=en' })).toBe(false);
    expect(await isTold({ 'Accept-Language': 'en', Cookie: 'agate_lang=de' })).toBe(true);
    expect((await get('/help')).text).toContain(
      '<p class="in-english" lang="de">Die Dokumentation ist auf Englisch.</p>',
    );
    expect((await get('/help/android-verification.de')).text).not.toContain('in-english');
  });

  // red when: a page has no way back to the dashboard
  it('lead back to the dashboard', async () => {
    for (const address of ['/help', '/help/cli', '/help/search?q=token', '/help/nonsense']) {
      expect((await get(address)).text).toMatch(/<a class="to-dashboard" href="\/">Dashboard<\/a>/);
    }
    expect((await get('/help/theme.css')).text).toContain('.to-dashboard { display: inline-flex;');
  });

  describe('an address without a document', () => {
    // red when: express answers a malformed escape itself
    it.each([
      '/help/nonsense',
      '/help/mail/x',
      '/help/mail.md',
      '/help/../help/x',
      '/help/__proto__',
      '/help/search/x',
    ])('is a page with a search at %s', async (address) => {
      const { status, headers, text } = await get(address);
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(headers['content-security-policy']).toBe(POLICY);
      expect(text).toContain('action="/help/search"');
      const program = await get(address, { Accept: '*/*' });
      expect([program.status, program.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
    });

    it.each(['/help/%ff', '/help/%', '/help/assets/%ff', '/help/assets/x', '/help/assets/help.css', '/helpx'])(
      'is rejected at %s',
      async (address) => {
        const { status } = await get(address);
        expect(status).toBeGreaterThanOrEqual(400);
        expect(status).toBeLessThan(500);
      },
    );

    it('is 404 for other methods', async () => {
      for (const method of ['POST', 'PUT', 'DELETE']) {
        expect((await rawRequest(`${app.url}/help/mail`, { method })).status).toBe(404);
      }
    });
  });

  describe('their search', () => {
    it('finds rows of tables, and leads to them', async () => {
      const { status, headers, text } = await get('/help/search?q=profile_expired');
      expect([status, headers['cache-control'], headers['content-language']]).toEqual([200, 'no-store', 'en']);
      expect(text).toContain('href="/help/installing#profile_expired"');
      expect(text).toMatch(/(Places|places) for “profile_expired”/);
      expect(text).toContain('value="profile_expired"');
    });

    it('names the row of a command after the command', async () => {
      const { text } = await get('/help/search?q=promote');
      expect(text).toMatch(/href="\/help\/cli#agate-promote"[^>]*>\s*agate <mark>promote<\/mark>\s*<\/a>/);
      expect(text).not.toContain('/help/cli#latest');
    });

    // red when: variables and routes come before the pages that explain
    it('leads to guides before reference', async () => {
      const { text } = await get('/help/search?q=token');
      const [, address] = /<ol class="results">\s*<li>\s*<a href="([^"#]+)/.exec(text)!;
      expect(address).not.toMatch(/^\/help\/(configuration|access|metrics|audit-events)/);
    });

    it('says when there is nothing, and what to enter', async () => {
      expect((await get('/help/search?q=qqqqqqqq')).text).toContain('Nothing contains “qqqqqqqq”.');
      expect((await get('/help/search')).text).toContain('Enter a word');
    });

    // red when: the query is written into the page unchecked
    it('shows the query as text', async () => {
      const { text } = await get(`/help/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
      expect(text).not.toContain('<script');
      expect(text).toContain('&quot;&gt;&lt;script&gt;');
    });

    it.each(['q=', 'q=%00', 'q=%ff%fe', 'q=a&q=b', 'q[]=a', 'q[x]=a', 'q=%F0%9F%98%80', '__proto__=x'])(
      'answers ?%s',
      async (query) => {
        expect((await get(`/help/search?${query}`)).status).toBe(200);
      },
    );

    it('answers a query of thousands of words', async () => {
      expect((await get(`/help/search?q=${'a+'.repeat(3000)}`)).status).toBe(200);
    });
  });
});

describe('the documents', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'agate-help-'));
  buildHelp(path.resolve(__dirname, '../../..'), directory);
  let app: TestApp | undefined;
  afterEach(() => app?.stop());
  afterAll(() => rmSync(directory, { recursive: true }));

  const statusOf = async (address: string): Promise<number> => (await rawRequest(app!.url + address)).status;

  it.each([
    ['BASE_URL has a path', { BASE_URL: 'http://localhost:3000/agate' }, directory],
    ['does not exist', {}, `${directory}/missing`],
  ])('are not served when %s, and the log says so', async (reason, environment, help) => {
    app = await TestApp.start({ environment, help });
    expect(await statusOf('/help')).toBe(404);
    expect(app.logLines.filter((line) => line.includes('The documents are not served'))).toEqual([
      expect.stringContaining(reason),
    ]);
  });

  it('are served without the dashboard', async () => {
    app = await TestApp.start({ environment: { DASHBOARD: 'false' }, help: directory });
    expect(await statusOf('/help')).toBe(200);
  });

  // red when: pages, files or searches have no limit
  it('limit the requests of an address', async () => {
    const environment = {
      RATE_LIMIT_FACTOR: '1',
      RATE_LIMIT_PAGE: '1',
      RATE_LIMIT_ASSET: '1',
      RATE_LIMIT_HEAVY: '1',
    };
    app = await TestApp.start({ environment, help: directory });
    for (const address of ['/help/mail', '/help/assets/x', '/help/search?q=mail']) {
      expect(await statusOf(address)).not.toBe(429);
      expect(await statusOf(address)).toBe(429);
    }
  });
});
