import { webcrypto } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { type Challenge } from 'altcha-lib';
import { ANONYMOUS } from '#kernel/context/identity';
import { messagesFor } from '#infra/pages/messages/messages';
import { PageAssets } from '#infra/pages/page-assets';
import { PageRenderer } from '#infra/pages/rendering/page-renderer';
import { AltchaCaptcha } from './altcha-captcha';
import { captchaPage } from './captcha.controller';

const assets = new PageAssets();
const renderer = new PageRenderer(assets);
const messages = messagesFor('en');
const ORIGINS = ['https://one.example', 'https://two.example'];
const ctx = { requestId: 'test', sourceIp: null, identity: ANONYMOUS, clock: { now: () => new Date() } };

/** The parts of a browser that the script uses. */
function browser(challenge: Challenge) {
  const posted: { message: { type: string; captcha: string }; origin: string }[] = [];
  const field = { value: '' };
  const status = { textContent: '' };
  const button = { disabled: false };
  const element = {
    dataset: { captcha: JSON.stringify(challenge), solved: 'solved', failed: 'failed' },
    querySelector: (selector: string) => (selector === '[name=captcha]' ? field : status),
    closest: (selector: string) =>
      selector === 'form' ? { querySelector: () => button } : { dataset: { captchaParents: ORIGINS.join(' ') } },
  };
  const parent = {
    postMessage: (message: (typeof posted)[0]['message'], origin: string) => posted.push({ message, origin }),
  };
  const globals = {
    window: { parent },
    document: { querySelectorAll: () => [element] },
    addEventListener: () => undefined,
    setTimeout: () => 0,
    crypto: webcrypto,
    btoa,
  };
  return { globals, posted, field, status, button };
}

describe('captchaPage', () => {
  const captcha = new AltchaCaptcha([{ id: 'k1', secret: Buffer.alloc(32, 7) }]);

  it('contains the challenge, a field for its solution, and the origins that it posts to', async () => {
    const challenge = await captcha.challenge(ctx);
    const page = captchaPage(messages, challenge, ORIGINS);
    const html = renderer.render(page.template, page.view);
    expect(page.framedBy).toEqual(ORIGINS);
    expect(html).toContain('data-captcha-parents="https://one.example https://two.example"');
    expect(html).toContain('<input type="hidden" name="captcha">');
    expect(html).toContain(challenge.signature);
    expect(html).toContain(`src="${assets.href('captcha.browser.js')}"`);
  });

  it('says that no captcha is required when there is no challenge', () => {
    const page = captchaPage(messages, null, []);
    const html = renderer.render(page.template, page.view);
    expect(html).toContain(messages.captcha.notNeeded);
    expect(html).not.toContain('<script');
  });

  it('has a script that solves the challenge, fills the field, and posts only to the dashboards', async () => {
    const { globals, posted, field, status, button } = browser(await captcha.challenge(ctx));
    runInNewContext(assets.find(assets.href('captcha.browser.js'))?.body.toString() ?? '', globals);
    expect(button.disabled).toBe(true);
    while (status.textContent === '') await new Promise((resolve) => setTimeout(resolve, 20));
    expect(status.textContent).toBe('solved');
    expect(button.disabled).toBe(false);
    expect(posted.map(({ origin }) => origin)).toEqual(ORIGINS);
    expect(posted.map(({ message }) => message)).toEqual(
      ORIGINS.map(() => ({ type: 'agate.captcha', captcha: field.value })),
    );
    expect(await captcha.verify(ctx, field.value)).not.toBeNull();
  });

  it('shows an error when the browser has no crypto.subtle', async () => {
    const { globals, status } = browser(await captcha.challenge(ctx));
    runInNewContext(assets.find(assets.href('captcha.browser.js'))?.body.toString() ?? '', { ...globals, crypto: {} });
    while (status.textContent === '') await new Promise((resolve) => setTimeout(resolve, 20));
    expect(status.textContent).toBe('failed');
  });
});
