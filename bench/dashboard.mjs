// Measures the dashboard in Chromium against its budgets: two processes, the demo and a project with 10,000 builds and testers.
// npm run bench dashboard [-- rounds]; exits with 1 when a budget is exceeded.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dashboardSizes } from '../scripts/dashboard-sizes.mjs';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { root } from '../scripts/support/project.mjs';
import { Visitor } from './dashboard-visits.mjs';
import { readDemo } from './demo-account.mjs';
import { fillAuditFeed, fillProject } from './large-project.mjs';
import { freePort, launchService } from './real-service.mjs';

const require = createRequire(import.meta.url);
const pg = require('pg');
const ROUNDS = Number(process.argv[2] ?? 5);
const MANY = 10_000;
const EVENTS = 20_000;
const FEW = 50;
const LIVE_CHANGES = 10;
const IDLE_SECONDS = 60;
const BUDGET = {
  logInMs: 800,
  screenMs: 1200,
  shift: 0.02,
  keyMs: 100,
  filterMs: 300,
  apiRequests: 6,
  idleRequests: 4,
  rows: 1500,
  liveMs: 2000,
};

const rows = [];
/** A line of the table. `budget` is null when there is none. */
function note(what, unit, values, budget = null) {
  const sorted = [...values].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  const digits = unit === '' && median < 1 ? 3 : 0;
  const show = (value) => Number(value.toFixed(digits));
  const met = budget === null ? '' : median <= budget ? 'met' : 'EXCEEDED';
  rows.push({ what, median: show(median), slowest: show(sorted.at(-1)), unit, budget: budget ?? '', '': met });
}

/** A process of the installation. Its base URL has the host name by which the browser reaches it. */
async function startProcess(environment, options) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const service = await launchService({ PORT: String(port), BASE_URL: url, ...environment }, options);
  return { ...service, url };
}

async function fill(databaseUrl, { call, organization, rocket }) {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const project = async (name) => (await call('POST', `/projects?organization_id=${organization}`, { name })).id;
  const [few, many] = [await project('Few'), await project('Many')];
  await fillProject(database, { id: few, from: rocket }, { builds: FEW, testers: FEW });
  await fillProject(database, { id: many, from: rocket }, { builds: MANY, testers: MANY });
  await fillAuditFeed(database, organization, EVENTS);
  await database.query('ANALYZE');
  await database.end();
  return { few, many };
}

async function measureScreens(browser, { url }, account, screens) {
  for (const [name, path, budgetMs] of screens) {
    const loads = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const visitor = await Visitor.arrive(browser, url, { account: path === '/login' ? undefined : account });
      await visitor.open(url + path);
      // The first round fills the caches of the service and the database.
      if (round > 0) loads.push(await visitor.load());
      await visitor.leave();
    }
    const values = (of) => loads.map((load) => load[of]);
    note(`${name}: largest paint`, 'ms', values('lcp'), budgetMs);
    note(`${name}: layout shift`, '', values('cls'), BUDGET.shift);
    note(`${name}: requests to the API`, '', values('api'), BUDGET.apiRequests);
    note(`${name}: all requests`, '', values('all'));
    note(`${name}: transferred`, 'kB', values('bytes').map((bytes) => bytes / 1000)); // prettier-ignore
  }
}

async function measureSlowly(browser, { url }, account, screens) {
  for (const [name, path] of screens) {
    const visitor = await Visitor.arrive(browser, url, {
      account: path === '/login' ? undefined : account,
      isSlow: true,
    });
    await visitor.open(url + path);
    note(`${name}, a quarter of the processor and slow 4G: largest paint`, 'ms', [(await visitor.load()).lcp]);
    await visitor.leave();
  }
}

async function measureInteractions(browser, { url }, account, list) {
  const [palette, filter, interactions] = [[], [], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const visitor = await Visitor.arrive(browser, url, { account });
    await visitor.open(url + list);
    const isOpen = `document.querySelector('dialog[open] [role=combobox]')`;
    if (round === 0) {
      note('builds of 10,000: rows in the page', '', [await countRows(visitor)], BUDGET.rows);
      note(
        'requests to the API a minute, idle',
        '',
        [await visitor.requestsWhileIdle(IDLE_SECONDS)],
        BUDGET.idleRequests,
      );
    }
    const opened = await visitor.effectOf(['Control+k'], isOpen);
    await visitor.effectOf(['Escape'], `!${isOpen}`);
    await visitor.page.getByRole('searchbox').focus();
    const first = `document.querySelector('main tbody a')?.textContent.startsWith('1.73.4')`;
    const filtered = await visitor.effectOf([...'1.73.4'], first);
    const slowest = await visitor.slowestInteraction();
    if (round > 0) {
      palette.push(opened);
      filter.push(filtered);
      interactions.push(slowest);
    }
    await visitor.leave();
  }
  note('a key until the palette is painted', 'ms', palette, BUDGET.keyMs);
  note('a key until the filtered list of 10,000 is painted', 'ms', filter, BUDGET.filterMs);
  note('the slowest interaction until the next paint', 'ms', interactions, BUDGET.keyMs);
}

const countRows = ({ page }) => page.evaluate('document.querySelectorAll("tr").length');

/** One person changes notes through the first process; the other looks at the build in the second. */
async function measureLive(browser, beside, { account, call, organization }, project, build) {
  const visitor = await Visitor.arrive(browser, beside.url, { account });
  await visitor.open(`${beside.url}/o/${organization}/p/${project}/builds/${build}`);
  const times = [];
  for (let change = 0; change <= LIVE_CHANGES; change += 1) {
    const notes = `Change ${change} of the bench.`;
    const query = `organization_id=${organization}&project_id=${project}`;
    const time = await visitor.seesAfter(`document.querySelector('main').textContent.includes('${notes}')`, () =>
      call('PATCH', `/builds/${build}?${query}`, { notes }),
    );
    if (change > 0) times.push(time);
    await sleep(500 + Math.random() * 1000);
  }
  await visitor.leave();
  note("a change until it is painted on another person's screen, two processes", 'ms', times, BUDGET.liveMs);
}

async function measure() {
  const { startEmbeddedPostgres } = require(join(root, 'dist/src/infra/database/embedded/embedded-postgres.js'));
  const { chromium } = await import('playwright-core');
  const folder = mkdtempSync(join(tmpdir(), 'agate-dashboard-'));
  const postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), log: () => undefined });
  const databases = { DATABASE_URL: postgres.url, DATABASE_OWNER_URL: postgres.ownerUrl };
  const service = await startProcess(databases, ['--demo']);
  const beside = await startProcess({ ...databases, DATA_DIR: service.folder, ROLE: 'api' });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell',
  });
  try {
    const demo = await readDemo(service);
    const { account, organization, rocket } = demo;
    const { few, many } = await fill(postgres.ownerUrl, demo);
    const { items } = await demo.call('GET', `/builds?organization_id=${organization}&project_id=${rocket}&limit=1`);
    const inside = (project, screen) => `/o/${organization}/p/${project}${screen}`;
    const screens = [
      ['log-in', '/login', BUDGET.logInMs],
      ['projects', `/o/${organization}`, BUDGET.screenMs],
      ['overview', inside(rocket, ''), BUDGET.screenMs],
      ['builds of 50', inside(few, '/builds'), BUDGET.screenMs],
      ['builds of 10,000', inside(many, '/builds'), BUDGET.screenMs],
      ['build', inside(rocket, `/builds/${items[0].id}`), BUDGET.screenMs],
      ['channels', inside(rocket, '/channels'), BUDGET.screenMs],
      ['testers of 50', inside(few, '/testers'), BUDGET.screenMs],
      ['testers of 10,000', inside(many, '/testers'), BUDGET.screenMs],
      ['audit feed of 20,000', `/o/${organization}/audit`, BUDGET.screenMs],
      ['billing', `/o/${organization}/billing`, BUDGET.screenMs],
      ['account', '/account', BUDGET.screenMs],
    ];
    await measureScreens(browser, service, account, screens);
    await measureInteractions(browser, service, account, inside(many, '/builds'));
    await measureLive(browser, beside, demo, rocket, items[0].id);
    await measureSlowly(
      browser,
      service,
      account,
      screens.filter(([name]) => ['log-in', 'builds of 50'].includes(name)),
    );
  } finally {
    await browser.close();
    await beside.stop();
    await service.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await ensureBuilt();
const loadBefore = loadavg()[0];
await measure();
for (const [what, limit, size] of dashboardSizes()) note(`${what}: gzip`, 'kB', [size], limit);
console.log(`\nThe dashboard, ${ROUNDS} cold loads each, load ${loadBefore.toFixed(1)} before and ${loadavg()[0].toFixed(1)} after`); // prettier-ignore
console.table(rows);
if (rows.some((row) => row[''] === 'EXCEEDED')) process.exitCode = 1;
