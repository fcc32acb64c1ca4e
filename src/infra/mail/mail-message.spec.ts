import { newId } from '#kernel/ids';
import { composeMail, type MailMessage, parseMailAddress } from './mail-message';

describe('parseMailAddress', () => {
  it.each([
    ['Agate <agate@localhost>', 'Agate', 'agate@localhost'],
    ['"Agate, builds" <a.b+c@x.example.org>', 'Agate, builds', 'a.b+c@x.example.org'],
    ['agate@localhost', '', 'agate@localhost'],
    [' <agate@localhost> ', '', 'agate@localhost'],
    ['Ägate <agate@bücher.example>', 'Ägate', 'agate@bücher.example'],
  ])('parses %j', (text, name, address) => {
    expect(parseMailAddress(text)).toEqual({ name, address });
  });

  it.each(['', 'Agate', 'Agate <>', 'a@b, c@d', 'A <a@b> <c@d>', 'A <a@b\n>'])('rejects %j', (text) => {
    expect(() => parseMailAddress(text)).toThrow('This is not an e-mail address.');
  });
});

describe('the sender of a mail', () => {
  const from = { address: 'agate@apps.example.org', name: 'Agate' };
  const message: MailMessage = {
    id: newId(),
    queuedAt: new Date('2026-11-20T18:03:00Z'),
    to: { address: 'ann@example.net' },
    subject: 'A subject',
    text: 'x',
    html: 'x',
  };
  const nameOf = (senderName?: string): unknown =>
    (composeMail({ ...message, ...(senderName !== undefined && { senderName }) }, from).from as { name: string }).name;

  it('has the name of the mail, else that of MAIL_FROM, and always the address of MAIL_FROM', () => {
    expect(nameOf('Rocket (Acme)')).toBe('Rocket (Acme)');
    expect(nameOf()).toBe('Agate');
    expect(composeMail({ ...message, senderName: 'Rocket' }, from).from).toMatchObject({ address: from.address });
  });

  // red when: a project can be named like the address of another sender
  it.each([
    'ceo@bank.example',
    'Bank <ceo@bank.example>',
    'https://bank.example',
    'www.bank.example',
    '＠bank',
    ' \n ',
    '',
  ])('has the name of MAIL_FROM instead of %j', (name) => {
    expect(nameOf(name)).toBe('Agate');
  });

  it('has a name of one line', () => {
    expect(nameOf('Rocket\r\nBcc: eve')).toBe('Rocket Bcc: eve');
  });
});
