import { mailTemplate, renderMail } from './render-mail';
import {
  ALREADY_REGISTERED,
  PASSWORD_CHANGED,
  RESET_PASSWORD,
  VERIFY_EMAIL,
  WRONG_CODES,
} from '../../modules/developers/mails/account-mails';

const URL = 'https://apps.example.org/verify?id=1&token=abc';
const EVIL = `<script>alert(1)</script>"'&`;

describe('renderMail', () => {
  const template = mailTemplate<{ name: string; url: string }>({
    subject: ({ name }) => `For ${name}`,
    html: '<p><%= it.name %></p><%~ it.button(it.url, it.name) %>',
    text: '<%= it.name %>: <%= it.url %>\n',
  });

  it('escapes in html, and only there', () => {
    const { subject, html, text } = renderMail(template, { name: EVIL, url: `https://x.example/"><b>` });
    expect(html).not.toContain('<script>');
    expect(html).not.toContain('"><b>');
    expect(html).toContain('&lt;script&gt;');
    expect(html).toContain(`<title>For &lt;script&gt;`);
    expect(text).toContain(`${EVIL}: https://x.example/"><b>`);
    expect(subject).toBe(`For ${EVIL}`);
  });

  it('stops at load on a template that is broken', () => {
    expect(() => mailTemplate({ subject: () => '', html: '<% if ( { %>', text: '' })).toThrow();
  });
});

describe.each([
  ['verify-email', renderMail(VERIFY_EMAIL, { name: 'Ann', url: URL, expiresInHours: 24 }), [URL], ['24 hours', 'Ann']],
  [
    'verify-email without a name',
    renderMail(VERIFY_EMAIL, { url: URL, expiresInHours: 1 }),
    [URL],
    ['Hello,', '1 hour.'],
  ],
  ['already-registered', renderMail(ALREADY_REGISTERED, { resetUrl: URL }), [URL], []],
  ['reset-password', renderMail(RESET_PASSWORD, { url: URL, expiresInHours: 2 }), [URL], ['2 hours']],
  ['password-changed', renderMail(PASSWORD_CHANGED, { resetUrl: URL }), [URL], []],
  ['wrong-codes', renderMail(WRONG_CODES, { resetUrl: URL }), [URL], ['recovery codes']],
])('the mail %s', (_name, mail, urls, words) => {
  it('says the same in html and in text', () => {
    for (const url of urls) {
      expect(mail.html).toContain(`href="${url.replaceAll('&', '&amp;')}"`);
      expect(mail.text.split('\n')).toContain(url);
    }
    for (const word of words) {
      expect(mail.html).toContain(word);
      expect(mail.text).toContain(word);
    }
  });

  it('is one document of at most 600 px, for light and dark, that loads nothing', () => {
    expect(mail.html.match(/<html/g)).toHaveLength(1);
    expect(mail.html).toContain('max-width:600px');
    expect(mail.html).toContain('prefers-color-scheme: dark');
    expect(mail.html).not.toMatch(/<(script|img|link|iframe)|url\(/);
  });

  it('has no hole in it', () => {
    expect(`${mail.subject}${mail.html}${mail.text}`).not.toMatch(/undefined|null|NaN|\[object|<%|%>/);
    expect(mail.text).not.toMatch(/<[a-z/]|&amp;|\n{4}/);
    expect(mail.subject).toContain('Agate');
  });
});

describe('the name in the verification mail', () => {
  const mailTo = (name: string) => renderMail(VERIFY_EMAIL, { name, url: URL, expiresInHours: 24 });

  it.each(['Ann', 'Jürgen von Müller', 'O’Neil', 'Anne-Marie', '山田 太郎'])('is %s', (name) => {
    expect(mailTo(name).text).toContain(`Hello ${name},`);
    expect(mailTo(name).html).toContain(name);
  });

  it.each(['You won! Visit evil.example', 'https://evil.example', 'a@b', 'x'.repeat(60), 'Ann\n\nNow pay', EVIL])(
    'is left out when it is %j',
    (name) => {
      expect(mailTo(name).text).toContain('Hello,');
      expect(mailTo(name).html).not.toContain('evil');
    },
  );
});
