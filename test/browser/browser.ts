import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { USER_AGENTS } from './page-scenarios';

/** A reader of a page: the user agent, screen and touch input of their browser. */
export interface Reader {
  readonly userAgent: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly touch?: boolean;
  /** The header Sec-CH-UA-Platform, which only Chromium-based browsers send. */
  readonly platformHint?: string;
}

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

export const READERS = {
  iphone: { userAgent: USER_AGENTS.iphone, viewport: PHONE, touch: true },
  /** iPadOS sends the user agent of a Mac. */
  ipad: { userAgent: USER_AGENTS.mac, viewport: { width: 768, height: 1024 }, touch: true },
  mac: { userAgent: USER_AGENTS.mac, viewport: DESKTOP },
  android: { userAgent: USER_AGENTS.android, viewport: PHONE, touch: true, platformHint: '"Android"' },
  firefoxOnAndroid: { userAgent: USER_AGENTS.firefoxOnAndroid, viewport: PHONE, touch: true },
  windows: { userAgent: USER_AGENTS.windows, viewport: DESKTOP, platformHint: '"Windows"' },
  instagram: { userAgent: USER_AGENTS.instagram, viewport: PHONE, touch: true },
} as const satisfies Record<string, Reader>;

export type ReaderName = keyof typeof READERS;

/** A theme and a width of a page. */
export interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}

/** Both themes on a desktop, a phone and a small phone. */
export const LOOKS: readonly Look[] = [1280, 390, 320].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ colorScheme, width })),
);

export interface Examination {
  readonly looks?: readonly Look[];
  /** A CSS selector of what axe examines. Default: the whole page. */
  readonly within?: string;
  /** Whether each look is painted, and saved as a screenshot. Default: true. */
  readonly painted?: boolean;
}

export interface VisitOptions {
  readonly reader?: Reader;
  readonly colorScheme?: 'light' | 'dark';
  readonly javaScript?: boolean;
}

/**
 * Launches the Chromium that is installed on the system. The headless shell, which has the engine of Chromium without its windows, opens
 * a profile in a quarter of the time.
 * @param host a name that it finds on this machine.
 */
export async function launchChromium(host = 'localhost'): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell';
  try {
    accessSync(executablePath, constants.X_OK);
  } catch {
    throw new Error(
      `The browser tests need Chromium, which is not installed at ${executablePath}. Install it (Debian: apt-get install chromium-headless-shell) or set CHROMIUM_PATH.`,
    );
  }
  const args = host === 'localhost' ? [] : [`--host-resolver-rules=MAP ${host} 127.0.0.1`];
  return chromium.launch({ executablePath, args });
}

/** Opens a page of the service whose policy lets scripts send requests to it. Its own scripts, which take seconds, are not loaded. */
export async function openOwnPage(page: Page, address: string): Promise<void> {
  await page.route('**/*.js', (route) => route.abort());
  await page.goto(`${address}/api/v1/docs`);
}

/** A tab with its own profile. Collects the errors that the page causes. */
export class Visit {
  /** Console errors and warnings, uncaught exceptions, blocked resources, violations of the content security policy. */
  readonly problems: string[] = [];
  readonly dialogs: string[] = [];
  private readonly allowed: string[] = [];

  private constructor(readonly page: Page) {
    page.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return;
      this.problems.push(`${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => this.problems.push(String(error)));
    page.on('dialog', (dialog) => {
      this.dialogs.push(dialog.message());
      void dialog.dismiss();
    });
  }

  static async start(browser: Browser, options: VisitOptions = {}): Promise<Visit> {
    const { reader = READERS.windows, colorScheme = 'light', javaScript = true }: VisitOptions = options;
    const context = await browser.newContext({ ...contextOf(reader), colorScheme, javaScriptEnabled: javaScript });
    if (reader.touch) await context.addInitScript(TOUCH_SCREEN);
    return new Visit(await context.newPage());
  }

  /** Opens a URL and expects the status of the page. */
  async open(url: string, expectedStatus = 200): Promise<this> {
    const response = await this.page.goto(url, { waitUntil: 'load' });
    expect(response?.status()).toBe(expectedStatus);
    // Chromium logs an error status of the page itself as a console error.
    const known = `Failed to load resource: the server responded with a status of ${expectedStatus}`;
    if (expectedStatus >= 400) {
      const at = this.problems.findIndex((problem) => problem.startsWith(known));
      if (at >= 0) this.problems.splice(at, 1);
    }
    return this;
  }

  /** Resolves when the page has handled the new size. */
  async resize(width: number, colorScheme: 'light' | 'dark'): Promise<void> {
    await this.page.setViewportSize({ width, height: 900 });
    await this.page.emulateMedia({ colorScheme });
    await this.page.evaluate('new Promise(requestAnimationFrame)');
  }

  /** The number of pixels by which the page is wider than the viewport. */
  async overflow(): Promise<number> {
    return this.page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  }

  /** The violations and undecided results of axe, one text per element. Placeholder icons are excluded: their letter is a picture. */
  async accessibilityIssues(within = 'html', rules: object = ALL_RULES): Promise<string[]> {
    if (!(await this.page.evaluate<boolean>('Boolean(window.axe)'))) await this.page.evaluate(AXE);
    const elements = { include: [[within]], exclude: ['svg.app-icon'] };
    // The results stay in the page: they describe each of its elements. Those of a page that changed meanwhile, such as a frame after a
    // change of its width, describe neither of its states.
    return this.page.evaluate<string[]>(`(async () => {
      for (let left = ${MOST_EXAMINATIONS}; ; left--) {
        let hasChanged = false;
        const changes = new MutationObserver(() => { hasChanged = true; });
        changes.observe(document, { childList: true, subtree: true });
        const { violations, incomplete } = await axe.run(${JSON.stringify(elements)}, ${JSON.stringify({ ...AXE_OPTIONS, ...rules })});
        changes.disconnect();
        if (hasChanged && left > 1) continue;
        return [...violations, ...incomplete].flatMap(({ id, nodes }) =>
          nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary));
      }
    })()`);
  }

  /**
   * Expects no horizontal overflow and no finding of axe in each look. The themes differ in colours only, so that axe examines each width
   * for everything else once. The smallest width is examined for overflow only.
   */
  async expectAccessible(name: string, { looks = LOOKS, within, painted = true }: Examination = {}): Promise<void> {
    const widths = new Set<number>();
    for (const { colorScheme, width } of looks) {
      await this.resize(width, colorScheme);
      if (painted) await this.screenshot(`${name}-${colorScheme}-${width}`);
      const rules = widths.has(width) ? COLOR_RULES : ALL_RULES;
      widths.add(width);
      const issues = width === 320 ? [] : await this.accessibilityIssues(within, rules);
      const look = { name, colorScheme, width };
      expect({ ...look, overflow: await this.overflow(), issues }).toEqual({ ...look, overflow: 0, issues: [] });
    }
  }

  /** Problems that contain this text are expected, also later: an open page may repeat a request that is rejected. */
  allowProblems(text: string): void {
    this.allowed.push(text);
  }

  /** Expects no error and no dialog, except for the allowed ones. */
  expectNoProblems(): void {
    const problems = this.problems.filter((problem) => !this.allowed.some((text) => problem.includes(text)));
    expect({ problems, dialogs: this.dialogs }).toEqual({ problems: [], dialogs: [] });
  }

  /** Waits until the page is painted. With `AGATE_SCREENSHOTS`, saves a screenshot of the whole page in that folder. */
  async screenshot(name: string): Promise<void> {
    await this.page.screenshot(
      SCREENSHOTS === undefined
        ? { clip: { x: 0, y: 0, width: 1, height: 1 } }
        : { path: join(SCREENSHOTS, `${name}.png`), fullPage: true },
    );
  }

  async end(): Promise<void> {
    await this.page.context().close();
  }
}

const SCREENSHOTS = process.env['AGATE_SCREENSHOTS'];

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A page that changes all the time is examined that often. */
const MOST_EXAMINATIONS = 5;

/** WCAG 2.2 AA, and the best practices of axe. */
const ALL_RULES = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
/** The rules whose result depends on colours. */
const COLOR_RULES = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };
const AXE_OPTIONS = {
  // axe cannot decide contrasts above the background picture. The sheets in front of it are opaque.
  checks: { 'color-contrast': { options: { ignorePseudo: true } } },
  resultTypes: ['violations', 'incomplete'],
  selectors: false,
};

const TOUCH_SCREEN = `Object.defineProperty(Navigator.prototype, 'maxTouchPoints', { get: () => 5 })`;

const contextOf = ({ userAgent, viewport, touch = false, platformHint = '' }: Reader): BrowserContextOptions => ({
  userAgent,
  viewport,
  hasTouch: touch,
  locale: 'en-GB',
  serviceWorkers: 'block',
  // Colour transitions would change the measured contrast.
  reducedMotion: 'reduce',
  // Chromium sends its real platform in this header, also with another user agent.
  extraHTTPHeaders: { 'Sec-CH-UA-Platform': platformHint },
});
