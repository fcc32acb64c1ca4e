import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#kernel/errors/app-error';
import { ERROR_CATALOGUE, type ErrorCase } from '#kernel/errors/catalogue';
import { errorPage } from '../browser-error-pages';
import { MESSAGE_PAGE, type MessagePageView } from '../message-page';
import { LOCALES, messagesFor } from '../messages/messages';
import { PageAssets } from '../page-assets';
import { pageHeaders } from './html-page';
import { PageRenderer } from './page-renderer';

const assets = new PageAssets();
const renderer = new PageRenderer(assets);
const messages = messagesFor('en');
const view: MessagePageView = { messages, title: 'Done', tone: 'success', paragraphs: ['One.', 'Two.'] };
const HOSTILE = `</title><script>alert("1")</script>' onfocus='x`;
const ESCAPED = '&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39; onfocus=&#39;x';

describe('PageRenderer', () => {
  it('renders the template inside the layout', () => {
    const html = renderer.render(MESSAGE_PAGE, view);
    expect(html).toMatch(/^<!doctype html>\s<html lang="en">[^]*<main>[^]*<h1>Done<\/h1>[^]*<\/main>[^]*<\/html>\s*$/);
    for (const part of ['<title>Done</title>', assets.href('page.css'), assets.href('logo.svg'), '<p>Two.</p>']) {
      expect(html).toContain(part);
    }
    expect(html).not.toContain('<script');
  });

  it('loads the script only on enhanced pages', () => {
    expect(renderer.render(MESSAGE_PAGE, { ...view, enhanced: true })).toContain(
      `<script src="${assets.href('page.browser.js')}" defer></script>`,
    );
  });

  it('escapes every field of a message page', () => {
    const html = renderer.render(MESSAGE_PAGE, {
      messages,
      tone: 'problem',
      title: HOSTILE,
      description: HOSTILE,
      paragraphs: [HOSTILE],
      footnote: HOSTILE,
      link: { href: HOSTILE, label: HOSTILE },
      form: {
        action: HOSTILE,
        hidden: { [HOSTILE]: HOSTILE },
        fields: [{ name: HOSTILE, label: HOSTILE, type: 'text', autocomplete: HOSTILE, value: HOSTILE }],
        submit: HOSTILE,
        problem: HOSTILE,
      },
    });
    expect(html).not.toContain('<script');
    expect(html).not.toContain(" onfocus='");
    expect(html.split(ESCAPED)).toHaveLength(20);
  });

  it('has page templates that use the raw tag only for rendered partials', () => {
    const raw: string[] = [];
    const sources = join(__dirname, '../../..');
    for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.eta') || /\.(html|text)\.eta$/.test(file)) continue; // Templates of mails are skipped.
      const source = readFileSync(join(sources, file), 'utf8');
      raw.push(...[...source.matchAll(/<%[-_]?\s*~\s*([^%]*?)\s*%>/g)].map(([, code = '']) => code));
      expect([file, /\sstyle=|\son\w+=|<style|<script(?! src=)/.test(source)]).toEqual([file, false]);
    }
    expect(raw.length).toBeGreaterThan(0);
    for (const code of raw)
      expect(code).toMatch(
        /^(it\.body|include\('@glyph', \{ glyph: .* \}\)|include\('@captcha', it\)|include\('@app-icon', [\w.]+\)|include\('@notes', \{ blocks: it\.card\.notes \}\)|include\('@install-card', \{ \.\.\.it, id, card: lead\.card \}\))$/,
      );
  });
});

describe('the template', () => {
  const sources = join(__dirname, '../../..');
  const templates = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.eta') && !/\.(html|text)\.eta$/.test(file), // Without templates of mails.
  );

  // red when: a text is written into a template instead of the tables of messages
  it.each(templates)('%s contains no text', (file) => {
    const source = readFileSync(join(sources, file), 'utf8').replace(/<%[^]*?%>/g, '');
    const shown = source.replace(/<[^>]*>/g, '').match(/\p{L}+/gu) ?? [];
    const attributes = [...source.matchAll(/\b(alt|title|placeholder|aria-label|value)="([^"]*\p{L}[^"]*)"/gu)].map(
      ([all]) => all,
    );
    expect([shown, attributes]).toEqual([[], []]);
  });
});

describe('pageHeaders', () => {
  it('forbid referrers, indexing, caching, framing and inline script', () => {
    expect(pageHeaders()).toMatchObject({
      'Content-Security-Policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex, nofollow',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    });
    expect(pageHeaders()).toHaveProperty('X-Frame-Options', 'DENY');
    expect(pageHeaders()['Content-Security-Policy']).not.toContain('unsafe');
  });

  it('allow only the named origins to frame the page', () => {
    const headers = pageHeaders(['https://one.example', 'https://two.example']);
    expect(headers['Content-Security-Policy']).toMatch(
      /; frame-ancestors https:\/\/one.example https:\/\/two.example$/,
    );
    expect(headers).not.toHaveProperty('X-Frame-Options');
  });
});

describe('errorPage', () => {
  const context = { messages, requestId: 'request-7', retryPath: '/install/agi_token' };

  it.each(Object.keys(ERROR_CATALOGUE) as ErrorCase[])('shows the request id for %s', (errorCase) => {
    const html = renderer.render(MESSAGE_PAGE, errorPage(new AppError(errorCase), context));
    expect(html).toContain('request-7');
    expect(html).toMatch(/<h1>[^<]+<\/h1>\s*<p>[^<]+<\/p>/);
  });

  it.each([
    ['not_found', messages.errors.notFound.title, false],
    ['prepaid_credit_exhausted', messages.errors.payment.title, true],
    ['spend_cap_exceeded', messages.errors.payment.title, true],
    ['rate_limit_exceeded', messages.errors.tooMany.title, true],
    ['storage_backend_unavailable', messages.errors.unavailable.title, true],
    ['internal_error', messages.errors.internal.title, true],
    ['invalid_input', messages.errors.rejected.title, false],
    ['already_exists', messages.errors.alreadyDone.title, false],
    ['unauthorized', messages.errors.unauthorized.title, false],
    ['email_not_verified', messages.errors.unverified.title, false],
    ['permission_denied', messages.errors.notHere.title, false],
  ] as const)('shows, for %s, the title "%s" (with a retry link: %s)', (errorCase, title, again) => {
    const page = errorPage(new AppError(errorCase), context);
    expect(page.title).toBe(title);
    expect(page.link).toEqual(again ? { href: '/install/agi_token', label: messages.errors.tryAgain } : undefined);
  });

  // red when: a visitor whose grant has expired is sent away to request a new link
  it('leads back to the link when a visit of it has ended', () => {
    const page = errorPage(new AppError('not_found'), { ...context, linkPath: '/install/agi_token' });
    expect(page.title).toBe(messages.errors.visitEnded.title);
    expect(page.link).toEqual({ href: '/install/agi_token', label: messages.errors.visitEnded.open });
  });

  it('shows no detail of an internal error', () => {
    const page = errorPage(new AppError('internal_error', { message: 'relation "x" does not exist' }), context);
    expect(JSON.stringify(page)).not.toContain('relation');
  });

  it('shows how long to wait, and why a build cannot be installed', () => {
    const limited = errorPage(new AppError('rate_limit_exceeded', { retryAfterSeconds: 42 }), context);
    expect(limited.paragraphs).toContain('Wait 42 seconds, then try again.');
    const blocked = new AppError('operation_not_allowed', {
      message: 'Export it as Ad Hoc.',
      details: { reason: 'tvos' },
    });
    expect(errorPage(blocked, context).paragraphs).toEqual([messages.install.warnings.tvos]);
  });

  // red when: the page of a link that has no room blames the reader's input
  it.each([
    new AppError('rate_limit_exceeded', { details: { reason: 'link_downloads_reached' }, retryAfterSeconds: 1700 }),
    new AppError('rate_limit_exceeded', { details: { reason: 'link_downloads_reached' }, retryAfterSeconds: 1700 }),
    new AppError('quota_exceeded', { details: { quota: 'open_reservations', limit: 100 } }),
  ])('says to retry in some minutes when other downloads use up the limit of a link', (error) => {
    const { title, text } = messages.errors.busy;
    expect(errorPage(error, context)).toMatchObject({
      title,
      paragraphs: [text],
      link: { href: '/install/agi_token' },
    });
    expect(text).toContain('Try again in some minutes.');
  });

  // red when: the page shows the message of the error, which is English
  it('uses the language of the reader for every error', () => {
    const rejected = AppError.invalidInput('constructor', 'The e-mail address is invalid.');
    for (const locale of LOCALES) {
      const words = messagesFor(locale);
      const page = errorPage(rejected, { messages: words, requestId: 'r' });
      expect([page.title, page.paragraphs]).toEqual([words.errors.rejected.title, [words.errors.rejected.text]]);
    }
  });

  it('shows no retry link without a path to retry', () => {
    expect(errorPage(new AppError('internal_error'), { messages, requestId: 'r' }).link).toBeUndefined();
  });
});
