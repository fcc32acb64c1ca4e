import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Browser } from 'playwright-core';
import { apkOf, ipaOf } from '../support/artifacts/app-artifacts';
import { type Developer, type OrganizationRef, type ProjectRef, scope } from '../support/actors/actors';
import { tableDigests } from '../support/checks/table-digests';
import { launchChromium, READERS, Visit } from './browser';
import { type ReachableApp, startReachableApp } from './reachable-app';

const PAYLOADS = [
  `"><img src=x onerror=alert(1)>`,
  `</title></textarea><script>alert(2)</script>`,
  `'"--><svg/onload=alert(3)>`,
  `javascript:alert(4)//%0aalert(4)`,
  `<%= 7*7 %>{{7*7}}\${7*7}`,
  `&lt;script&gt;alert(5)&lt;/script&gt;`,
];

/** What strangers put into names, files and other sites (reliability K5, H4, B9). */
describe('hostile input in a browser', () => {
  let browser: Browser;
  let app: ReachableApp;
  let ann: Developer;
  let organization: OrganizationRef;
  beforeAll(async () => {
    [browser, app] = await Promise.all([launchChromium(), startReachableApp()]);
    ann = await app.developer();
    organization = await ann.createsOrganization();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const strangers: Server[] = [];
  /** Another site: one page, at any name of this machine. */
  const serveStranger = async (html: string): Promise<(host: string) => string> => {
    const server = createServer((_request, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<link rel="icon" href="data:,">${html}`),
    );
    strangers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return (host) => `http://${host}:${port}/`;
  };
  afterEach(() => {
    for (const server of strangers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  // red when: a template shows one of these with `<%~`
  it.each(PAYLOADS)('is shown as it is: %s', async (payload) => {
    const project = await ann.createsProject(organization, payload);
    const facts = {
      name: payload,
      bundleId: 'com.example.evil',
      version: '1.0.0',
      buildNumber: 1,
    };
    const build = await ann.uploads(
      project,
      { bytes: ipaOf(facts), fileName: `${payload}.ipa` },
      { version: payload, build_number: payload, notes: payload, branch: payload },
    );
    for (const reader of [READERS.iphone, READERS.windows]) {
      const seen = await Visit.start(browser, { reader });
      await seen.open(build.install_url);
      const text = (selector: string): Promise<string | null> => seen.page.locator(selector).textContent();
      expect(await seen.page.title()).toBe(`Install ${payload} ${payload}`);
      expect(await text('h1')).toBe(payload);
      expect(await text('.version')).toBe(`Version ${payload} (${payload})`.replace(` (${payload})`, ''));
      expect(await text('.notes')).toBe(payload);
      expect(await seen.page.locator('[onerror], [onload], [src="x"], script:not([src])').count()).toBe(0);
      expect(await seen.overflow()).toBe(0);
      seen.expectQuiet();
      await seen.end();
    }
  });

  const mintedUrl = async (project: ProjectRef, buildId: string): Promise<string> =>
    ((await ann.post(`/builds/${buildId}/download-url?${scope(project)}`).expect(200)).body as { url: string }).url;

  describe('in a file', () => {
    const PAGE = `<!doctype html><html xmlns="http://www.w3.org/1999/xhtml"><body><script>alert(document.domain)</script></body></html>`;
    const SVG = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(document.domain)</script></svg>`;
    let project: ProjectRef;
    beforeAll(async () => {
      project = await ann.createsProject(organization);
    });

    const expectDownload = async (url: string, fileName: string): Promise<void> => {
      const seen = await Visit.start(browser);
      const [download] = await Promise.all([
        seen.page.waitForEvent('download'),
        // A navigation that turns into a download never arrives.
        seen.page.goto(url).catch((error: Error) => expect(error.message).toContain('Download is starting')),
      ]);
      expect(download.suggestedFilename()).toBe(fileName);
      expect(seen.page.url()).toBe('about:blank');
      seen.expectQuiet();
      await seen.end();
    };

    // red when: the file is sent without `attachment`; `nosniff` and the sandbox policy are the second and third line
    it.each([
      ['page.html', PAGE],
      ['page.xhtml', PAGE],
      ['page.svg', SVG],
      ['page.xml', SVG],
      ['page.js', 'alert(document.domain)'],
      ['page', PAGE],
      ['page.dmg', PAGE],
      ['page.exe', PAGE],
    ])('it is downloaded and never opened: %s', async (fileName, content) => {
      const build = await ann.uploads(
        project,
        { bytes: Buffer.from(content), fileName },
        { version: '1', platform: 'windows' },
      );
      const minted = await mintedUrl(project, build.id);
      for (const url of [minted, `${build.install_url}/package${/\.\w+$/.exec(fileName)?.[0] ?? ''}`]) {
        await expectDownload(url, fileName);
      }
    });

    it('a page is no APK and no IPA, not even with one behind it', async () => {
      const facts = { name: 'Two', bundleId: 'com.example.two', version: '1', buildNumber: 1 };
      for (const [fileName, app] of [
        ['page.apk', apkOf(facts)],
        ['page.ipa', ipaOf(facts)],
      ] as const) {
        for (const behind of [Buffer.alloc(0), app]) {
          const bytes = Buffer.concat([Buffer.from(PAGE), behind]);
          const refused = await ann.upload(project, { bytes, fileName }).expect(400);
          expect(refused.body).toMatchObject({ error: 'invalid_input' });
        }
      }
    });

    // red when: the blob goes without both `Cross-Origin-Resource-Policy` and `nosniff`
    it('a script of theirs runs on no page of theirs from our address', async () => {
      const build = await ann.uploads(
        project,
        { bytes: Buffer.from('document.title = "owned"'), fileName: 'owned.js' },
        { version: '2', platform: 'windows' },
      );
      const minted = await mintedUrl(project, build.id);
      const stranger = await serveStranger(`<title>safe</title><script src="${minted}"></script>`);
      const seen = await Visit.start(browser);
      await seen.open(stranger('localhost'));
      expect(await seen.page.title()).toBe('safe');
      expect(seen.problems).not.toEqual([]);
      await seen.end();
    });
  });

  describe('from another site', () => {
    const form = (action: string, type: string, fields: Record<string, string>): string =>
      `<form method="post" enctype="${type}" action="${action}">${Object.entries(fields)
        .map(([name, value]) => `<input name='${name}' value='${value}'>`)
        .join('')}<button>Win a prize</button></form>`;
    /** The log of downloads, which is written a moment later, may still get those of the tests before. */
    const everything = (): Promise<unknown> => tableDigests(app, ['build_download', '_private_jobs']);
    /** A browser in which Ann is logged in. */
    const annsBrowser = async (): Promise<Visit> => {
      const seen = await Visit.start(browser);
      const { email, password } = ann;
      const answer = await seen.page.request.post(`${app.address}/api/v1/login/email`, { data: { email, password } });
      expect(answer.status()).toBe(200);
      return seen;
    };

    const urlencoded = 'application/x-www-form-urlencoded';
    const FORMS = [
      ['POST /organizations', urlencoded, () => ['/organizations', { name: 'Owned' }]],
      ['POST /organizations as text', 'text/plain', () => ['/organizations', { '{"name":"Owned","a': '":1}' }]],
      ['POST /projects', urlencoded, () => [`/projects?organization_id=${organization.id}`, { name: 'Owned' }]],
      [
        'POST /builds',
        'multipart/form-data',
        (project: ProjectRef) => [`/builds?${scope(project)}`, { version: '1', platform: 'windows', file: 'MZ' }],
      ],
      ['POST /login/logout', urlencoded, () => ['/login/logout', {}]],
      ['POST /login/refresh', urlencoded, () => ['/login/refresh', {}]],
      ['POST /login/email', urlencoded, () => ['/login/email', { email: ann.email, password: ann.password }]],
    ] as const satisfies readonly (readonly [
      string,
      string,
      (project: ProjectRef) => readonly [string, Record<string, string>],
    ])[];

    // red when: the cross-site rule of cookies, or that of the login routes, is gone
    it.each(['localhost', '127.0.0.1'])(
      'a page of %s:another-port changes nothing with the visitor’s cookie',
      async (host) => {
        const project = await ann.createsProject(organization);
        const seen = await annsBrowser();
        const before = await everything();
        for (const [name, type, action] of FORMS) {
          const [path, fields] = action(project);
          const stranger = await serveStranger(form(`${app.address}/api/v1${path}`, type, fields));
          await seen.open(stranger(host));
          const [answer] = await Promise.all([
            seen.page.waitForResponse((response) => response.url().startsWith(app.address)),
            seen.page.getByRole('button').click(),
          ]);
          const site = (await answer.request().allHeaders())['sec-fetch-site'];
          expect([name, site]).toEqual([name, host === 'localhost' ? 'same-site' : 'cross-site']);
          const login = path.startsWith('/login/') && path !== '/login/logout';
          expect([name, answer.status()]).toEqual([name, login || host === 'localhost' ? 403 : 401]);
        }
        expect(await everything()).toEqual(before);
        // Still logged in, and a page of the service itself may act: the cookie was there all the time.
        await seen.page.goto(`${app.address}/api/v1/docs`);
        const own = `fetch('/api/v1/organizations', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name":"Mine"}' })`;
        expect(await seen.page.evaluate(`${own}.then((answer) => answer.status)`)).toBe(201);
        await seen.end();
      },
    );
  });
});
