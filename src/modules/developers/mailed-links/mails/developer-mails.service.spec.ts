import { LANGUAGES } from '#kernel/text/language';
import { renderMail } from '#infra/mail/render-mail';
import { ACCOUNT_MAILS } from './developer-mails.service';

const URL = 'https://apps.example.org/verify?id=1&token=abc';
const NOTICE = { resetUrl: URL, time: '22 November 2026, 13:00 UTC', address: '192.0.2.7' };
const LOGIN = { ...NOTICE, browser: { program: 'Chrome', system: 'Windows' } };
const TOKEN = { ...NOTICE, last4: 'x7Q2', scopes: ['builds:read', 'builds:upload'] };

describe.each(LANGUAGES)('in the language %s', (language) => {
  const mails = ACCOUNT_MAILS;
  describe.each([
    [
      'verifyEmail',
      renderMail(mails.verifyEmail[language], { name: 'Ann', url: URL, expiresInHours: 24 }),
      ['24', 'Ann'],
    ],
    ['alreadyRegistered', renderMail(mails.alreadyRegistered[language], { resetUrl: URL }), []],
    ['resetPassword', renderMail(mails.resetPassword[language], { url: URL, expiresInHours: 2 }), ['2 ']],
    ['passwordChanged', renderMail(mails.passwordChanged[language], { resetUrl: URL }), []],
    ['wrongCodes', renderMail(mails.wrongCodes[language], { resetUrl: URL }), []],
    ['confirmNewEmail', renderMail(mails.confirmNewEmail[language], { url: URL, expiresInHours: 1 }), ['1 ']],
    ['secondFactorOn', renderMail(mails.secondFactorOn[language], NOTICE), [NOTICE.address, NOTICE.time]],
    ['secondFactorOff', renderMail(mails.secondFactorOff[language], NOTICE), [NOTICE.address, NOTICE.time]],
    ['secondFactorReset', renderMail(mails.secondFactorReset[language], { resetUrl: URL }), []],
    ['newToken', renderMail(mails.newToken[language], TOKEN), [NOTICE.address, 'x7Q2', 'builds:read, builds:upload']],
    ['newSession', renderMail(mails.newSession[language], LOGIN), [NOTICE.address, NOTICE.time, 'Chrome', 'Windows']],
  ])('the mail %s', (_name, mail, words) => {
    it('has the same link and facts in HTML and in text', () => {
      expect(mail.html).toContain(`href="${URL.replaceAll('&', '&amp;')}"`);
      expect(mail.text.split('\n')).toContain(URL);
      for (const word of words) {
        expect(mail.html).toContain(word);
        expect(mail.text).toContain(word);
      }
    });

    it('has no unfilled placeholder', () => {
      expect(`${mail.subject}${mail.html}${mail.text}`).not.toMatch(/undefined|null|NaN|\[object|<%|%>/);
      expect(mail.text).not.toMatch(/<[a-z/]|&amp;|\n{5}/);
      expect(mail.subject).toContain('Agate');
      expect(mail.html).toContain(`<html lang="${language}">`);
    });
  });

  it('has no link in the mail emailChanged', () => {
    expect(renderMail(mails.emailChanged[language], {}).text).not.toContain('http');
  });
});

it('The mails of an account differ between the languages in subject, text and HTML', () => {
  for (const mail of Object.values(ACCOUNT_MAILS)) {
    const [en, de] = LANGUAGES.map((language) =>
      renderMail(
        mail[language] as (typeof ACCOUNT_MAILS.newToken)['en'],
        { ...TOKEN, ...LOGIN, url: URL, expiresInHours: 1 } as never,
      ),
    );
    expect(en?.subject).not.toBe(de?.subject);
    expect(en?.text).not.toBe(de?.text);
    expect(de?.html).not.toContain('If the button does not work');
  }
});

describe('verifyEmail', () => {
  const mailTo = (name: string) => renderMail(ACCOUNT_MAILS.verifyEmail.en, { name, url: URL, expiresInHours: 24 });

  it('greets without a name when there is none', () => {
    const { text } = renderMail(ACCOUNT_MAILS.verifyEmail.en, { url: URL, expiresInHours: 1 });
    expect(text).toContain('Hello,');
    expect(text).toContain('1 hour.');
  });

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
