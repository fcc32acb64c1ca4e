import PostalMime, { type Email } from 'postal-mime';
import { newId } from '#kernel/ids';
import { type MailMessage } from '#infra/mail/mail-message';
import { type Mailer } from '#infra/mail/mailers/mailer';

/** A mailer with its receiver. */
export interface MailerHarness {
  readonly mailer: Mailer;
  /** Returns the received mails in RFC 5322 format, oldest first. */
  received(): Promise<readonly Buffer[]>;
  stop(): Promise<void>;
}

/** The sender of every harness. */
export const SENDER = { address: 'agate@apps.example.org', name: 'Agate Ünit' };

export const aMail = (overrides: Partial<MailMessage> = {}): MailMessage => ({
  id: newId(),
  queuedAt: new Date('2026-11-20T18:03:00Z'),
  to: { address: 'ann@example.net', name: 'Ann' },
  subject: 'A subject',
  text: 'Open http://localhost:3000/x?token=abc&b=1 now.',
  html: '<p>Open <a href="http://localhost:3000/x?token=abc&amp;b=1">it</a>.</p>',
  ...overrides,
});

/** Checks the rules in the doc comment of `Mailer`. */
export function describeMailer(name: string, start: () => Promise<MailerHarness>): void {
  describe(`${name} as a Mailer`, () => {
    let harness: MailerHarness;
    beforeEach(async () => (harness = await start()));
    afterEach(() => harness.stop());

    const deliver = async (message: MailMessage): Promise<{ email: Email; raw: string }> => {
      await harness.mailer.send(message);
      const all = await harness.received();
      expect(all).toHaveLength(1);
      const raw = all[0]?.toString('utf8') ?? '';
      return { email: await PostalMime.parse(raw), raw };
    };

    it('delivers both bodies to the one recipient, dated when the mail was queued', async () => {
      const message = aMail();
      const { email } = await deliver(message);
      expect(email.from).toEqual(SENDER);
      expect(email.to).toEqual([message.to]);
      expect(email.cc ?? email.bcc).toBeUndefined();
      expect(email.subject).toBe(message.subject);
      expect(email.text?.trim()).toBe(message.text);
      expect(email.html?.trim()).toBe(message.html);
      expect(email.date).toBe('2026-11-20T18:03:00.000Z');
      expect(email.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }));
    });

    it('derives the Message-ID from the id, so that it is the same on each attempt', async () => {
      const message = aMail();
      await harness.mailer.send(message);
      await harness.mailer.send(message);
      const emails = await Promise.all((await harness.received()).map((raw) => PostalMime.parse(raw)));
      const ids = new Set(emails.map((email) => email.messageId));
      expect([...ids]).toEqual([`<${message.id}@apps.example.org>`]);
    });

    it.each([
      ['umlauts', 'Grüße aus Köln', 'Jürgen Müller'],
      ['emoji', '📦 Build 7 is here', '🦊 Fox'],
      ['Japanese, long enough to fold', 'テスト配信のお知らせ'.repeat(8), '山田 太郎'],
      ['punctuation with a meaning in headers', 'a "b" <c@d.e>, f; (g) \\h', 'O\'Neil, "Bob" <x@y.z> (z)'],
      ['a long line of words', 'word '.repeat(39).trim(), 'A B C'],
    ])('preserves %s in subject and name', async (_case, subject, recipient) => {
      const { email, raw } = await deliver(aMail({ subject, to: { address: 'ann@example.net', name: recipient } }));
      expect(email.subject).toBe(subject);
      expect(email.to).toEqual([{ address: 'ann@example.net', name: recipient }]);
      expect(raw).toMatch(/^[\0-\x7f]*$/);
    });

    it('disables encoded words in subject and name', async () => {
      const typed = '=?utf-8?Q?x=0D=0ABcc:=20eve@example.com?=';
      const { email } = await deliver(aMail({ subject: typed, to: { address: 'ann@example.net', name: typed } }));
      expect(email.subject).toBe(typed.replace('=?', '= ?'));
      expect(email.to?.[0]?.name).toBe(typed.replace('=?', '= ?'));
    });

    it('preserves bodies with non-ASCII text, long lines and lines of one dot', async () => {
      const text = `Zeile mit ß\n.\n..\nFrom here\n${'x'.repeat(2000)}\nend`;
      const html = `<p>${'ö '.repeat(1500)}</p>`;
      const { email } = await deliver(aMail({ text, html }));
      expect(email.text?.replaceAll('\r\n', '\n').trimEnd()).toBe(text);
      expect(email.html?.replaceAll('\r\n', '\n').trimEnd()).toBe(html);
    });

    it('does not break the one-click unsubscribe headers (RFC 8058)', async () => {
      const url = `https://apps.example.org/install/${'t'.repeat(300)}/unsubscribe`;
      const headers = { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
      const { email } = await deliver(aMail({ headers }));
      const values = Object.fromEntries(email.headers.map(({ key, value }) => [key, value]));
      expect(values['list-unsubscribe']).toBe(`<${url}>`);
      expect(values['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    });

    describe.each([
      ['CR LF', '\r\n'],
      ['LF', '\n'],
      ['CR', '\r'],
      ['a folded line', '\r\n '],
      ['NUL', '\0'],
      ['NEL', '\u0085'],
      ['line separator', '\u2028'],
      ['vertical tab', '\u000b'],
    ])('with %s', (_name, sequence) => {
      const evil = `x${sequence}Bcc: eve@example.com${sequence}${sequence}<b>body</b>`;

      it('in subject and name, adds no header', async () => {
        const { email, raw } = await deliver(aMail({ subject: evil, to: { address: 'ann@example.net', name: evil } }));
        expect(email.bcc).toBeUndefined();
        expect(email.to?.map(({ address }) => address)).toEqual(['ann@example.net']);
        expect(email.html?.trim()).toBe(aMail().html);
        expect(email.subject).not.toMatch(/[\p{Cc}\u2028]/u);
        expect(raw).not.toMatch(/^bcc:/im);
      });

      it.each<[string, Partial<MailMessage>]>([
        ['the address', { to: { address: `ann${sequence}@example.net` } }],
        ['the end of the address', { to: { address: `ann@example.net${sequence}` } }],
        ['a second address', { to: { address: `ann@example.net>${sequence}RCPT TO:<eve@example.com` } }],
        ['a header value', { headers: { 'List-Id': evil } }],
        ['a header name', { headers: { [`List-Id${sequence}Bcc`]: 'eve@example.com' } }],
        ['the id', { id: `x${sequence}y` }],
      ])('in %s, rejects the mail', async (_where, overrides) => {
        await expect(harness.mailer.send(aMail(overrides))).rejects.toMatchObject({ errorCase: 'invalid_input' });
        expect(await harness.received()).toEqual([]);
      });
    });

    it.each([
      'ann',
      '@example.net',
      'ann@',
      'a@b@c',
      'ann@example.net,eve@example.com',
      'ann@example.net;eve@example.com',
      'Ann <ann@example.net>',
      'ann @example.net',
      '"a b"@example.net',
      `${'a'.repeat(250)}@example.net`,
      '',
    ])('rejects the address %j', async (address) => {
      await expect(harness.mailer.send(aMail({ to: { address } }))).rejects.toMatchObject({
        errorCase: 'invalid_input',
      });
      expect(await harness.received()).toEqual([]);
    });

    it.each(['Bcc', 'To', 'From', 'Content-Type', 'Message-ID', '__proto__x'])(
      'rejects the header %s',
      async (header) => {
        const headers = { [header]: 'eve@example.com' };
        await expect(harness.mailer.send(aMail({ headers }))).rejects.toMatchObject({ errorCase: 'invalid_input' });
        expect(await harness.received()).toEqual([]);
      },
    );
  });
}
