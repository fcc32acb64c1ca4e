// Measures screens of the dashboard in Chromium, inside the page.
import { setTimeout as sleep } from 'node:timers/promises';

const SETTLED_WITHIN_MS = 30_000;
const QUIET_MS = 400;
/** A phone of the middle class on a slow mobile network. */
const SLOW = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750, offline: false };
const SLOW_CPU = 4;

/** Runs before the scripts of each page. The page's policy forbids adding scripts later. */
const PROBE = `
  globalThis.bench = { lcp: 0, cls: 0, interactions: new Map(), inputAt: 0 };
  const observe = (type, note, options) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...options });
  observe('largest-contentful-paint', (entry) => (bench.lcp = entry.startTime));
  observe('layout-shift', (entry) => { if (!entry.hadRecentInput) bench.cls += entry.value; });
  observe('event', ({ interactionId, duration }) => {
    if (interactionId) bench.interactions.set(interactionId, Math.max(duration, bench.interactions.get(interactionId) ?? 0));
  }, { durationThreshold: 16 });
  addEventListener('keydown', (event) => (bench.inputAt = performance.timeOrigin + event.timeStamp), true);
  bench.painted = (isShown) => new Promise((resolve) => {
    const look = () => {
      if (!isShown()) return requestAnimationFrame(look);
      requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now())));
    };
    look();
  });`;

const isApi = (url) => /^\/api\/v1\/(?!events)/.test(new URL(url).pathname);
const isStream = (url) => new URL(url).pathname === '/api/v1/events';

/** A person with a browser profile of their own: nothing is cached. */
export class Visitor {
  requests = [];
  unanswered = new Set();

  constructor(context, page) {
    this.context = context;
    this.page = page;
    page.on('request', (request) => {
      this.requests.push(request);
      if (!isStream(request.url())) this.unanswered.add(request);
    });
    for (const end of ['requestfinished', 'requestfailed']) {
      page.on(end, (request) => this.unanswered.delete(request));
    }
  }

  /** @param account logs in when given. @param isSlow a slow processor and network. */
  static async arrive(browser, url, { account, isSlow = false } = {}) {
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } });
    if (account) {
      const response = await context.request.post(`${url}/api/v1/login/email`, { data: account });
      if (!response.ok()) throw new Error(`The login failed: ${response.status()} ${await response.text()}`);
    }
    await context.addInitScript(PROBE);
    const page = await context.newPage();
    if (isSlow) {
      const session = await context.newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW_CPU });
      await session.send('Network.emulateNetworkConditions', SLOW);
    }
    return new Visitor(context, page);
  }

  /** Opens a screen and waits until it shows its data and requests nothing more. */
  async open(address) {
    this.requests = [];
    this.unanswered.clear();
    await this.page.goto(address);
    await this.page.getByRole('heading', { level: 1 }).waitFor();
    const isComplete = `!document.querySelector('[aria-busy=true]')`;
    let quietSince = performance.now();
    let seen = 0;
    for (const since = performance.now(); performance.now() - since < SETTLED_WITHIN_MS; await sleep(50)) {
      if (this.requests.length !== seen || this.unanswered.size > 0 || !(await this.page.evaluate(isComplete)))
        quietSince = performance.now();
      seen = this.requests.length;
      if (performance.now() - quietSince > QUIET_MS) return;
    }
    throw new Error(`${address} was not loaded within ${SETTLED_WITHIN_MS / 1000} seconds.`);
  }

  /** The requests of the screen since it was opened. Sizes are bytes on the network, with headers. */
  async load() {
    const { lcp, cls } = await this.page.evaluate('({ lcp: bench.lcp, cls: bench.cls })');
    const sizes = await Promise.all(
      this.requests.filter((request) => !isStream(request.url())).map((request) => request.sizes()),
    );
    const bytes = sizes.reduce((sum, size) => sum + size.responseBodySize + size.responseHeadersSize, 0);
    return { lcp, cls, bytes, api: this.requests.filter((request) => isApi(request.url())).length, all: sizes.length };
  }

  /** Types keys. @param isShown a condition of the page, as source text. @returns milliseconds from the last key until it is painted. */
  async effectOf(keys, isShown) {
    const shown = this.page.evaluate(`bench.painted(() => ${isShown})`);
    for (const key of keys) await this.page.keyboard.press(key);
    const at = await shown;
    return at - (await this.page.evaluate('bench.inputAt'));
  }

  /** Milliseconds from the moment before an act of another person until this page has painted its effect. */
  async seesAfter(isShown, act) {
    const shown = this.page.evaluate(`bench.painted(() => ${isShown})`);
    const since = performance.timeOrigin + performance.now();
    await act();
    return (await shown) - since;
  }

  /** The longest time from an input to the next paint since the page was loaded, in steps of 8 ms. */
  async slowestInteraction() {
    await sleep(200);
    return this.page.evaluate('Math.max(0, ...bench.interactions.values())');
  }

  /** The number of requests that the screen sends to the API in a minute in which nothing happens, from a sample. */
  async requestsWhileIdle(seconds) {
    this.requests = [];
    await sleep(seconds * 1000);
    return (this.requests.filter((request) => isApi(request.url())).length * 60) / seconds;
  }

  leave() {
    return this.context.close();
  }
}
