// npm run dashboard:pictures: makes the pictures of the documentation from the demo, in docs/images/dashboard. Needs Chromium.
import './support/node-version.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureBuilt } from './support/builds.mjs';
import { Failure, root, run } from './support/project.mjs';

const PICTURES = path.join(root, 'docs', 'images', 'dashboard');
const START_WITHIN_MS = 120_000;
const LOAD_WITHIN_MS = 15_000;
const VIEWPORTS = [
  { width: 1280, height: 800 },
  { width: 390, height: 780 },
];
/** The screens and their addresses. `ids` are those of the demo's project Rocket and of its promoted build. */
const SCREENS = [
  ['log-in', () => '/login'],
  ['projects', ({ organization }) => `/o/${organization}`],
  ['overview', ({ project }) => project],
  ['builds', ({ project }) => `${project}/builds`],
  ['build', ({ project, build }) => `${project}/builds/${build}`],
  ['channels', ({ project }) => `${project}/channels`],
  ['testers', ({ project }) => `${project}/testers`],
  ['audit', ({ organization }) => `/o/${organization}/audit`],
];

async function freePort() {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Resolves when the demo is complete, which a notice on standard output reports. */
async function untilSeeded(service) {
  const timeout = setTimeout(() => service.kill(), START_WITHIN_MS);
  let output = '';
  for await (const chunk of service.stdout.setEncoding('utf8')) {
    output += chunk;
    if (output.includes('Agate is running')) {
      clearTimeout(timeout);
      service.stdout.resume();
      return;
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
  for (const colorScheme of ['light', 'dark']) {
    const context = await browser.newContext({ colorScheme, locale: 'en-GB', reducedMotion: 'reduce' });
    const page = await context.newPage();
    let ids = {};
    for (const [name, addressOf] of SCREENS) {
      if (name !== 'log-in' && !ids.project) ids = await logIn(context, url, data);
      for (const viewport of VIEWPORTS) {
        await page.setViewportSize(viewport);
        await page.goto(url + addressOf(ids));
        await untilLoaded(page);
        const file = path.join(PICTURES, `${name}-${colorScheme}-${viewport.width}.png`);
        await page.screenshot({ path: file });
      }
    }
    await context.close();
  }
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
    await untilSeeded(service);
    mkdirSync(PICTURES, { recursive: true });
    await takePictures(browser, url, data);
  } finally {
    await browser.close();
    service.kill('SIGTERM');
    await ended;
    rmSync(data, { recursive: true, force: true });
  }
});
