import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { MAIL_COLORS, SHADE_COLORS } from '../../src/infra/mail/mail-colors';
import { MAIL_SAMPLES } from '../support/mails/mail-samples';

const root = path.resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** The markup without the style sheet, which only some mail programs read, and which therefore holds only what is not necessary. */
const bodyOf = (html: string): string => html.slice(html.indexOf('<body'));
const tagsOf = (html: string, name: string): string[] => html.match(new RegExp(`<${name}\\b[^>]*>`, 'g')) ?? [];
const styleOf = (tag: string): string => /\bstyle="([^"]*)"/.exec(tag)?.[1] ?? '';

describe('the mails', () => {
  // red when: a module makes a mail that is not among the samples, so that no test renders it
  it('all have a sample', () => {
    const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.endsWith('render-mail.ts'))
      .map((file) => read(path.join('src', file)));
    const made = sources.flatMap((source) => source.match(/\btranslatedMail[<(]/g) ?? []);
    expect(new Set(MAIL_SAMPLES.map(({ source }) => source)).size).toBe(made.length);
  });

  it.each(MAIL_SAMPLES.map(({ name, mail }) => [name, mail] as const))(
    '%s is complete as plain text',
    (_name, mail) => {
      expect(mail.text).not.toMatch(/undefined|null|NaN|\[object|<%|%>|<\/?[a-z]+>|&(amp|lt|quot|#39);|\n{4}/);
      expect(`${mail.subject}${mail.html}`).not.toMatch(/undefined|NaN|\[object|<%|%>/);
      const links = [...mail.html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
      for (const link of new Set(links)) expect(mail.text).toContain(link);
    },
  );
});

describe('a mail', () => {
  const mailOf = (name: string) => MAIL_SAMPLES.find((sample) => sample.name === name)!.mail;

  // red when: a reminder looks like the mail about a new version
  it.each([
    ['en', 'Reminder: please test Harbour'],
    ['de', 'Erinnerung: Bitte testen Sie Harbour'],
  ])('that reminds has a title that says so (%s)', (language, title) => {
    const heading = (name: string): string => /<h1[^>]*>([^<]*)</.exec(mailOf(`${name}-${language}`).html)![1]!.trim();
    expect(heading('release-reminder')).toBe(title);
    expect(heading('release')).not.toContain(title);
  });

  // red when: a mail about billing names the settings without a way to them
  it.each(['billing-exhausted', 'billing-fee', 'billing-alert'])('about %s leads to the billing screen', (name) => {
    for (const [language, label] of [
      ['en', 'Open billing'],
      ['de', 'Abrechnung öffnen'],
    ]) {
      expect(mailOf(`${name}-${language}`).html).toMatch(
        new RegExp(`href="[^"]+/billing"[^>]*>\\s*(<[^>]+>\\s*)*${label}`),
      );
    }
  });
});

/** Outlook for Windows renders mails with Word, which drops most of CSS: it needs tables, and widths and colours as attributes. */
describe.each(MAIL_SAMPLES.map(({ name, mail }) => [name, bodyOf(mail.html)] as const))(
  'in Outlook, %s',
  (_name, body) => {
    // red when: a picture is loaded from the service, which Outlook blocks and which would tell who reads the mail
    it('loads nothing', () => {
      for (const image of tagsOf(body, 'img'))
        expect(image).toMatch(/ src="cid:[a-z0-9-]+" width="\d+" height="\d+" alt="/);
      expect(body).not.toMatch(/<(script|link|iframe|form|object|svg|video)\b|url\(|srcset=|background="/);
    });

    // red when: a template uses a layout that Word does not know
    it('has no layout but tables with a width', () => {
      expect(body).not.toMatch(/position:|flex|grid|float:|<div\b|box-shadow|background-image|calc\(|var\(|\bgap:/);
      for (const table of tagsOf(body, 'table')) {
        expect(table).toMatch(/role="presentation"/);
        expect(table).toMatch(/ width="(\d+|100%)" cellpadding="0" cellspacing="0" border="0"/);
      }
    });

    // red when: a cell has a ground in CSS alone, or the text width has no fallback
    it('has an attribute beside each style that Word drops', () => {
      for (const cell of [...tagsOf(body, 'td'), ...tagsOf(body, 'table')]) {
        const ground = /background-color:(#[0-9a-f]{6})/.exec(styleOf(cell))?.[1];
        if (ground !== undefined) expect(cell).toContain(`bgcolor="${ground}"`);
      }
      expect(body).toContain('<!--[if mso]><table role="presentation" width="600"');
      for (const cell of tagsOf(body, 'td').filter(
        (tag) => />$/.test(tag) && /font-size:1[3-9]px/.test(styleOf(tag)),
      )) {
        expect(styleOf(cell)).toContain('font-family:');
      }
    });
  },
);

describe('the colours of mails', () => {
  const css = read('src/infra/pages/assets/page.css');
  const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');
  const valueOf = (sheet: string, name: string): string | undefined =>
    new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(sheet)?.[1];

  // red when: a colour of the pages is changed and not that of the mails
  it.each(['light', 'dark'] as const)('are those of the pages, %s', (theme) => {
    const sheet = theme === 'light' ? light : dark;
    const expected = Object.fromEntries(Object.keys(MAIL_COLORS[theme]).map((name) => [name, valueOf(sheet, name)]));
    expect(MAIL_COLORS[theme]).toEqual(expected);
  });

  it('have the shades of the pages', () => {
    expect(SHADE_COLORS).toEqual(
      [...css.matchAll(/\.shade-\d \{\s*color: (#[0-9a-f]{6});/g)].map(([, color]) => color),
    );
  });
});
