import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Browser } from 'playwright-core';
import { type Developer, type OrganizationRef, type ProjectRef, scope } from '../support/actors/actors';
import { type ReachableApp } from '../support/app/reachable-app';
import { apkOf, ipaOf } from '../support/artifacts/app-artifacts';
import { tableDigests } from '../support/checks/table-digests';
import { startAppForBrowser } from './app-for-browser';
import { launchChromium, openOwnPage, READERS, Visit } from './browser';

const PAYLOADS = [
  `"><img src=x onerror=alert(1)>`,
  `</title></textarea><script>alert(2)</script>`,
  `'"--><svg/onload=alert(3)>`,
  `javascript:alert(4)//%0aalert(4)`,
  `<%= 7*7 %>{{7*7}}\${7*7}`,
  `&lt;script&gt;alert(5)&lt;/script&gt;`,
];

/** Attacks through names, files and other sites. */
describe('the service in a browser', () => {
  let browser: Browser;
  let app: ReachableApp;
  let ann: Developer;
  let organization: OrganizationRef;
  beforeAll(async () => {
    [browser, app] = await Promise.all([launchChromium(), startAppForBrowser()]);
    ann = await app.developer();
    organization = await ann.createsOrganization();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const attackerSites: Server[] = [];
  /** Serves a page of another site. @returns its URL for a host name of this machine. */
  const serveAttackerSite = async (html: string): Promise<(host: string) => string> => {
    const server = createServer((_request, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<link rel="icon" href="data:,">${html}`),
    );
    attackerSites.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return (host) => `http://${host}:${port}/`;
  };
  afterEach(() => {
    for (const server of attackerSites.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  // red when: a template writes a field with `<%~`
  it.each(PAYLOADS)('shows as plain text the payload %s', async (payload) => {
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
      const visit = await Visit.start(browser, { reader });
      await visit.open(build.install_url);
      const text = (selector: string): Promise<string | null> => visit.page.locator(selector).textContent();
      expect(await visit.page.title()).toBe(`Install ${payload} ${payload}`);
      expect(await text('h1')).toBe(payload);
      expect(await text('.version')).toBe(`Version ${payload} (${payload})`.replace(` (${payload})`, ''));
      expect(await text('.notes')).toBe(payload);
      expect(await visit.page.locator('[onerror], [onload], [src="x"], script:not([src])').count()).toBe(0);
      expect(await visit.overflow()).toBe(0);
      visit.expectNoProblems();
      await visit.end();
    }
  });

  const mintedUrl = async (project: ProjectRef, buildId: string): Promise<string> =>
    ((await ann.post(`/builds/${buildId}/download-url?${scope(project)}`).expect(200)).body as { url: string }).url;

  describe('with a hostile file', () => {
    const PAGE = `<!doctype html><html xmlns="http://www.w3.org/1999/xhtml"><body><script>alert(document.domain)</script></body></html>`;
    const SVG = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(document.domain)</script></svg>`;
    let project: ProjectRef;
    beforeAll(async () => {
      project = await ann.createsProject(organization);
    });

    const expectDownload = async (url: string, fileName: string): Promise<void> => {
      const visit = await Visit.start(browser);
      const [download] = await Promise.all([
        visit.page.waitForEvent('download'),
        // Playwright rejects a navigation that becomes a download.
        visit.page.goto(url).catch((error: Error) => expect(error.message).toContain('Download is starting')),
      ]);
      expect(download.suggestedFilename()).toBe(fileName);
      expect(visit.page.url()).toBe('about:blank');
      visit.expectNoProblems();
      await visit.end();
    };

    // red when: the file is sent without `attachment`. `nosniff` and the sandbox policy are second and third lines of defence.
    it.each([
      ['page.html', PAGE],
      ['page.xhtml', PAGE],
      ['page.svg', SVG],
      ['page.xml', SVG],
      ['page.js', 'alert(document.domain)'],
      ['page', PAGE],
      ['page.dmg', PAGE],
      ['page.exe', PAGE],
    ])('downloads %s and never opens it', async (fileName, content) => {
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

    it('rejects an HTML page as APK or IPA, also when an app is appended to it', async () => {
      const facts = { name: 'Two', bundleId: 'com.example.two', version: '1', buildNumber: 1 };
      for (const [fileName, app] of [
        ['page.apk', apkOf(facts)],
        ['page.ipa', ipaOf(facts)],
      ] as const) {
        for (const appended of [Buffer.alloc(0), app]) {
          const bytes = Buffer.concat([Buffer.from(PAGE), appended]);
          const rejected = await ann.upload(project, { bytes, fileName }).expect(400);
          expect(rejected.body).toMatchObject({ error: 'invalid_input' });
        }
      }
    });

    // red when: the file is sent without `Cross-Origin-Resource-Policy` and without `nosniff`
    it('keeps another site from loading an uploaded script', async () => {
      const build = await ann.uploads(
        project,
        { bytes: Buffer.from('document.title = "owned"'), fileName: 'owned.js' },
        { version: '2', platform: 'windows' },
      );
      const minted = await mintedUrl(project, build.id);
      const site = await serveAttackerSite(`<title>safe</title><script src="${minted}"></script>`);
      const visit = await Visit.start(browser);
      await visit.open(site('localhost'));
      expect(await visit.page.title()).toBe('safe');
      expect(visit.problems).not.toEqual([]);
      await visit.end();
    });
  });

  describe('with a form of another site', () => {
    const form = (action: string, type: string, fields: Record<string, string>): string =>
      `<form method="post" enctype="${type}" action="${action}">${Object.entries(fields)
        .map(([name, value]) => `<input name='${name}' value='${value}'>`)
        .join('')}<button>Win a prize</button></form>`;
    /** Every table except those that earlier tests may still write to in the background. */
    const databaseState = (): Promise<unknown> => tableDigests(app, ['build_download', '_private_jobs']);
    const loggedInVisit = async (): Promise<Visit> => {
      const visit = await Visit.start(browser);
      const { email, password } = ann;
      const login = await visit.page.request.post(`${app.address}/api/v1/login/email`, { data: { email, password } });
      expect(login.status()).toBe(200);
      return visit;
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

    // red when: the cross-site check of cookies or of the login routes is removed
    it.each(['localhost', '127.0.0.1'])(
      'changes nothing when a page of %s on another port posts with the visitor’s cookie',
      async (host) => {
        const project = await ann.createsProject(organization);
        const visit = await loggedInVisit();
        const before = await databaseState();
        for (const [name, type, action] of FORMS) {
          const [path, fields] = action(project);
          const site = await serveAttackerSite(form(`${app.address}/api/v1${path}`, type, fields));
          await visit.open(site(host));
          const [response] = await Promise.all([
            visit.page.waitForResponse((candidate) => candidate.url().startsWith(app.address)),
            visit.page.getByRole('button').click(),
          ]);
          const fetchSite = (await response.request().allHeaders())['sec-fetch-site'];
          expect([name, fetchSite]).toEqual([name, host === 'localhost' ? 'same-site' : 'cross-site']);
          const login = path.startsWith('/login/') && path !== '/login/logout';
          expect([name, response.status()]).toEqual([name, login || host === 'localhost' ? 403 : 401]);
        }
        expect(await databaseState()).toEqual(before);
        // The visitor is still logged in: a page of the service itself can make changes.
        await openOwnPage(visit.page, app.address);
        const own = `fetch('/api/v1/organizations', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name":"Mine"}' })`;
        expect(await visit.page.evaluate(`${own}.then((response) => response.status)`)).toBe(201);
        await visit.end();
      },
    );
  });
});
