import { renderMail } from '#infra/mail/render-mail';
import {
  ALREADY_REGISTERED,
  CONFIRM_NEW_EMAIL,
  EMAIL_CHANGED,
  PASSWORD_CHANGED,
  RESET_PASSWORD,
  VERIFY_EMAIL,
  WRONG_CODES,
} from './account-mails';

const URL = 'https://apps.example.org/verify?id=1&token=abc';

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
  ['confirm-new-email', renderMail(CONFIRM_NEW_EMAIL, { url: URL, expiresInHours: 1 }), [URL], ['1 hour.']],
  ['email-changed', renderMail(EMAIL_CHANGED, {}), [], ['another e-mail address']],
])('the mail %s', (_name, mail, urls, words) => {
  it('has the same links and facts in HTML and in text', () => {
    for (const url of urls) {
      expect(mail.html).toContain(`href="${url.replaceAll('&', '&amp;')}"`);
      expect(mail.text.split('\n')).toContain(url);
    }
    for (const word of words) {
      expect(mail.html).toContain(word);
      expect(mail.text).toContain(word);
    }
  });

  it('has no unfilled placeholder', () => {
    expect(`${mail.subject}${mail.html}${mail.text}`).not.toMatch(/undefined|null|NaN|\[object|<%|%>/);
    expect(mail.text).not.toMatch(/<[a-z/]|&amp;|\n{4}/);
    expect(mail.subject).toContain('Agate');
  });
});

describe('VERIFY_EMAIL', () => {
  const mailTo = (name: string) => renderMail(VERIFY_EMAIL, { name, url: URL, expiresInHours: 24 });

  it.each(['Ann', 'Jürgen von Müller', 'O’Neil', 'Anne-Marie', '山田 太郎'])('greets %s by name', (name) => {
    expect(mailTo(name).text).toContain(`Hello ${name},`);
    expect(mailTo(name).html).toContain(name);
  });

  it.each([
    'You won! Visit evil.example',
    'https://evil.example',
    'a@b',
    'x'.repeat(60),
    'Ann\n\nNow pay',
    `<script>alert(1)</script>"'&`,
  ])('omits the name %j, which could carry a message or a link', (name) => {
    expect(mailTo(name).text).toContain('Hello,');
    expect(mailTo(name).html).not.toMatch(/evil|alert/);
  });
});
