import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { USER_AGENTS } from './page-scenarios';

/** Whoever looks at a page: their browser's name, screen and fingers. */
export interface Reader {
  readonly userAgent: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly touch?: boolean;
  /** Only browsers made of Blink send it. */
  readonly platformHint?: string;
}

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

export const READERS = {
  iphone: { userAgent: USER_AGENTS.iphone, viewport: PHONE, touch: true },
  /** iPadOS calls itself a Macintosh. */
  ipad: { userAgent: USER_AGENTS.mac, viewport: { width: 768, height: 1024 }, touch: true },
  mac: { userAgent: USER_AGENTS.mac, viewport: DESKTOP },
  android: { userAgent: USER_AGENTS.android, viewport: PHONE, touch: true, platformHint: '"Android"' },
  windows: { userAgent: USER_AGENTS.windows, viewport: DESKTOP, platformHint: '"Windows"' },
  instagram: { userAgent: USER_AGENTS.instagram, viewport: PHONE, touch: true },
} as const satisfies Record<string, Reader>;

export type ReaderName = keyof typeof READERS;

export interface VisitOptions {
  readonly reader?: Reader;
  readonly colorScheme?: 'light' | 'dark';
  readonly javaScript?: boolean;
}

/** Chromium, of which no version is downloaded: the system's own. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
  try {
    accessSync(executablePath, constants.X_OK);
  } catch {
    throw new Error(
      `The browser ring needs Chromium, and there is none at ${executablePath}. Install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.`,
    );
  }
  return chromium.launch({ executablePath });
}

/** A tab in a profile of its own, which remembers whatever went wrong in it. */
export class Visit {
  /** Console errors, uncaught exceptions, refused resources, violations of the content security policy. */
  readonly problems: string[] = [];
  readonly dialogs: string[] = [];

  private constructor(readonly page: Page) {
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.problems.push(message.text());
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
    if (reader.touch) await context.addInitScript(FIVE_FINGERS);
    return new Visit(await context.newPage());
  }

  /** Opens an address and takes note of nothing but what a page that works would not do. */
  async open(url: string, expectedStatus = 200): Promise<this> {
    const answer = await this.page.goto(url, { waitUntil: 'load' });
    expect(answer?.status()).toBe(expectedStatus);
    // The browser counts the status of the page itself among its errors.
    const known = `Failed to load resource: the server responded with a status of ${expectedStatus}`;
    if (expectedStatus >= 400) {
      const at = this.problems.findIndex((problem) => problem.startsWith(known));
      if (at >= 0) this.problems.splice(at, 1);
    }
    return this;
  }

  /** Turns to another screen. */
  async look(width: number, colorScheme: 'light' | 'dark'): Promise<void> {
    await this.page.setViewportSize({ width, height: 900 });
    await this.page.emulateMedia({ colorScheme });
  }

  /** By how many pixels the page is wider than the screen. */
  async overflow(): Promise<number> {
    return this.page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  }

  /**
   * What axe finds, or cannot tell, against WCAG 2.2 AA and its own best practices: a rule and an element each. The single
   * letter that stands for an icon is a picture.
   */
  async barriers(): Promise<string[]> {
    await this.page.evaluate(axe.source);
    const { violations, incomplete } = await this.page.evaluate<axe.AxeResults>(
      `axe.run({ exclude: ['svg.app-icon'] }, ${JSON.stringify(RULES)})`,
    );
    return [...violations, ...incomplete].flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  }

  /** Nothing went wrong, nothing popped up. */
  expectQuiet(): void {
    expect({ problems: this.problems, dialogs: this.dialogs }).toEqual({ problems: [], dialogs: [] });
  }

  /** A picture of the whole page, for people: `AGATE_SCREENSHOTS`, or a folder among the temporary ones. */
  async picture(name: string): Promise<void> {
    await this.page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
  }

  async end(): Promise<void> {
    await this.page.context().close();
  }
}

const SCREENSHOTS = process.env['AGATE_SCREENSHOTS'] ?? join(tmpdir(), 'agate-screenshots');

const RULES = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // The picture behind the page would make it give up on every contrast; the sheets on top of it are opaque.
  checks: { 'color-contrast': { options: { ignorePseudo: true } } },
};

const FIVE_FINGERS = `Object.defineProperty(Navigator.prototype, 'maxTouchPoints', { get: () => 5 })`;

const contextOf = ({ userAgent, viewport, touch = false, platformHint = '' }: Reader): BrowserContextOptions => ({
  userAgent,
  viewport,
  hasTouch: touch,
  locale: 'en-GB',
  serviceWorkers: 'block',
  // A colour on its way to another is neither.
  reducedMotion: 'reduce',
  // Chromium would tell the truth in its hints, whatever it calls itself.
  extraHTTPHeaders: { 'Sec-CH-UA-Platform': platformHint },
});
