// npm run dashboard:pictures: makes the pictures that documents show, from the demo, in docs/images. Needs Chromium.
import './support/node-version.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureBuilt } from './support/builds.mjs';
import { Failure, root, run } from './support/project.mjs';

const PICTURES = path.join(root, 'docs', 'images');
const DOCUMENTS = ['README.md', 'docs/dashboard.md'];
const START_WITHIN_MS = 120_000;
const LOAD_WITHIN_MS = 15_000;
/** The heights of the viewports, by their widths. */
const HEIGHTS = { 1280: 800, 390: 780 };
/** The screens and their addresses. `ids` are those of the demo's project Rocket and of its promoted build. */
const SCREENS = {
  'log-in': () => '/login',
  projects: ({ organization }) => `/o/${organization}`,
  overview: ({ project }) => project,
  builds: ({ project }) => `${project}/builds`,
  build: ({ project, build }) => `${project}/builds/${build}`,
  channels: ({ project }) => `${project}/channels`,
  testers: ({ project }) => `${project}/testers`,
  audit: ({ organization }) => `/o/${organization}/audit`,
};
/** The picture of the install page in two themes: its size and that of its phones, and the width of a phone in its own pixels. */
const INSTALL_PAGE = { width: 750, height: 556, phoneWidth: 252, top: 50, scale: 2, viewportWidth: 390 };
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

async function freePort() {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The pictures of the dashboard that documents show: screen, theme and width. */
function shownPictures() {
  const texts = DOCUMENTS.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
  const names = texts.matchAll(/images\/dashboard\/((?:([a-z-]+)-(light|dark)-(\d+))\.png)/g);
  const pictures = [...names].map(([, file, screen, theme, width]) => [file, { file, screen, theme, width }]);
  return [...new Map(pictures).values()];
}

/** Resolves when the demo is complete, which a notice on standard output reports. @returns the address of its install page for iOS. */
async function untilSeeded(service) {
  const timeout = setTimeout(() => service.kill(), START_WITHIN_MS);
  let output = '';
  for await (const chunk of service.stdout.setEncoding('utf8')) {
    output += chunk;
    const [, installPage] = /Agate is running[^]*?Install page, iOS +(http\S+)\n/.exec(output) ?? [];
    if (installPage) {
      clearTimeout(timeout);
      service.stdout.resume();
      return installPage;
    }
  }
  throw new Failure('The service ended before the demo was complete.');
}

async function logIn(context, url, data) {
  const { email, password, organizationId } = JSON.parse(readFileSync(path.join(data, 'demo.json'), 'utf8'));
  const api = `${url}/api/v1`;
  const { token } = await (await context.request.post(`${api}/login/email`, { data: { email, password } })).json();
  const get = async (route) =>
    (await (await context.request.get(`${api}${route}`, { headers: { Authorization: `Bearer ${token}` } })).json())
      .items;
  const projects = await get(`/projects?organization_id=${organizationId}`);
  const { id } = projects.find(({ name }) => name === 'Rocket');
  const builds = await get(`/builds?organization_id=${organizationId}&project_id=${id}&platform=ios`);
  const build = builds.find(({ version }) => version === '2.1.0').id;
  return { organization: organizationId, project: `/o/${organizationId}/p/${id}`, build };
}

/** The policy of the page forbids `waitForFunction`, which evaluates text in the page. */
async function untilLoaded(page) {
  await page.getByRole('heading', { level: 1 }).waitFor();
  // Images below the fold are loaded when they are scrolled into view.
  const isLoaded = `!document.querySelector('[aria-busy=true]') && [...document.images].every(({ complete, loading }) => complete || loading === 'lazy')`;
  for (const since = performance.now(); performance.now() - since < LOAD_WITHIN_MS;) {
    if (await page.evaluate(isLoaded)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Failure(`${page.url()} was not loaded in time.`);
}

async function takePictures(browser, url, data) {
  let ids;
  for (const { file, screen, theme, width } of shownPictures()) {
    const context = await browser.newContext({ colorScheme: theme, locale: 'en-GB', reducedMotion: 'reduce' });
    const page = await context.newPage();
    if (screen !== 'log-in') ids = await logIn(context, url, data);
    await page.setViewportSize({ width: Number(width), height: HEIGHTS[width] });
    await page.goto(url + SCREENS[screen](ids));
    await untilLoaded(page);
    await page.screenshot({ path: path.join(PICTURES, 'dashboard', file) });
    await context.close();
  }
}

/** Takes the install page on two phones, a light and a dark one. */
async function takeInstallPage(browser, address) {
  const { width, height, phoneWidth, top, scale, viewportWidth } = INSTALL_PAGE;
  const screens = [];
  for (const colorScheme of ['light', 'dark']) {
    const context = await browser.newContext({
      colorScheme,
      locale: 'en-GB',
      userAgent: IPHONE,
      viewport: { width: viewportWidth, height: Math.ceil(((height - top) * viewportWidth) / phoneWidth) },
      deviceScaleFactor: (scale * phoneWidth) / viewportWidth,
    });
    const page = await context.newPage();
    await page.goto(address);
    await untilLoaded(page);
    screens.push(`data:image/png;base64,${(await page.screenshot()).toString('base64')}`);
    await context.close();
  }
  const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: scale });
  await page.setContent(`<style>
    body { margin: 0; }
    main { display: flex; justify-content: space-evenly; height: ${height}px; overflow: hidden; border-radius: 20px;
      background: linear-gradient(90deg, #e8e0d4 50%, #20282b 50%); }
    img { width: ${phoneWidth}px; height: fit-content; margin-top: ${top - 10}px; border: 10px solid #0c1110; border-bottom: 0;
      border-radius: 38px 38px 0 0; outline: 1px solid #5c686a; box-shadow: 0 8px 24px #0006; }
  </style><main>${screens.map((screen) => `<img src="${screen}">`).join('')}</main>`);
  await page.screenshot({ path: path.join(PICTURES, 'install-page.png'), omitBackground: true });
}

await run(async () => {
  await ensureBuilt();
  const { chromium } = await import('playwright-core');
  const data = mkdtempSync(path.join(tmpdir(), 'agate-pictures-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = { ...process.env, PORT: port, BASE_URL: url, DATA_DIR: data, LOG_LEVEL: 'warn' };
  const options = { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] };
  const service = spawn(process.execPath, ['dist/src/main.js', '--demo'], options);
  const ended = once(service, 'exit');
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell',
  });
  try {
    const installPage = await untilSeeded(service);
    mkdirSync(path.join(PICTURES, 'dashboard'), { recursive: true });
    await takeInstallPage(browser, installPage);
    await takePictures(browser, url, data);
  } finally {
    await browser.close();
    service.kill('SIGTERM');
    await ended;
    rmSync(data, { recursive: true, force: true });
  }
});
