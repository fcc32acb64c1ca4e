import { type Browser } from 'playwright-core';
import { png } from '../support/artifacts/png-writer';
import { MAIL_SAMPLES } from '../support/mails/mail-samples';
import { launchChromium, type Look, Visit } from './browser';

/** The widths of a small phone and of a mail program's pane. */
const LOOKS: readonly Look[] = [640, 320].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ colorScheme, width })),
);
/** A mail has no landmarks: it stands inside the page of a mail program. */
const RULES = { rules: { region: { enabled: false }, 'landmark-one-main': { enabled: false } } };

const PICTURE = `data:image/png;base64,${png({ width: 164, height: 164, colour: [11, 95, 104, 255] }).toString('base64')}`;

/** Chromium has the engine of most mail programs. Outlook for Windows has its own: test/architecture/mails.spec.ts. */
describe('the mails', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  // red when: a long word widens the table, a colour of one theme stands on the ground of the other
  it.each(MAIL_SAMPLES.map(({ name, mail }) => [name, mail] as const))(
    'fit every width and are readable in both themes: %s',
    async (name, { html }) => {
      const visit = await Visit.start(browser);
      await visit.page.setContent(html.replaceAll(/src="cid:[^"]+"/g, `src="${PICTURE}"`));
      for (const { colorScheme, width } of LOOKS) {
        await visit.resize(width, colorScheme);
        await visit.screenshot(`mail-${name}-${width}-${colorScheme}`);
        const look = { colorScheme, width };
        const issues = await visit.accessibilityIssues('body', RULES);
        expect({ ...look, overflow: await visit.overflow(), issues }).toEqual({ ...look, overflow: 0, issues: [] });
      }
      visit.expectNoProblems();
      await visit.end();
    },
  );
});
