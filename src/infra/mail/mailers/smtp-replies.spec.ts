import { refusalOf, type SmtpError } from './smtp-replies';

const error = (command: string, response: string, code = 'EENVELOPE'): SmtpError => ({
  message: response,
  code,
  command,
  response,
  responseCode: Number(response.slice(0, 3)),
});

describe('refusalOf', () => {
  it.each([
    ['RCPT TO', '550 5.1.1 User unknown', '5.1.1', true],
    ['RCPT TO', '550-5.1.1 The account does not exist\n550 5.1.1 really', '5.1.1', true],
    ['RCPT TO', '550 5.1.10 No such recipient', '5.1.10', true],
    ['RCPT TO', '501 5.1.3 Bad recipient address syntax', '5.1.3', true],
    ['RCPT TO', '550 5.2.1 Mailbox disabled', '5.2.1', true],
    ['RCPT TO', '550 No such user here', '550', true],
    ['RCPT TO', '553 Mailbox name not allowed', '553', true],
    ['DATA', '550 5.1.1 User unknown', '5.1.1', true],
    ['RCPT TO', '554 5.7.1 Relay access denied', '5.7.1', false],
    ['RCPT TO', '550 5.1.8 Sender domain not found', '5.1.8', false],
    ['RCPT TO', '552 5.2.2 Mailbox full', '5.2.2', false],
    ['RCPT TO', '554 Transaction failed', '554', false],
    ['DATA', '554 5.7.1 Blocked by policy', '5.7.1', false],
    ['DATA', '550 Message rejected as spam', '550', false],
    ['DATA', '552 5.3.4 Message too large', '5.3.4', false],
    ['MAIL FROM', '552 5.3.4 Message size exceeds fixed limit', '5.3.4', false],
  ])('of a reply to %s, "%s", is final', (command, response, status, isAddressInvalid) => {
    expect(refusalOf(error(command, response))).toMatchObject({ status, isAddressInvalid });
  });

  // red when: a fault of the configuration is blamed on the recipient, so that their mails end
  it.each([
    ['RCPT TO', '450 4.2.0 Greylisted'],
    ['RCPT TO', '530 5.7.0 Must issue a STARTTLS command first'],
    ['RCPT TO', '503 5.5.1 Need MAIL command'],
    ['RCPT TO', '550 5.5.1 Protocol error'],
    ['AUTH PLAIN', '535 5.7.8 Authentication failed'],
    ['MAIL FROM', '550 5.7.1 Sender not allowed'],
    ['MAIL FROM', '530 5.7.1 Authentication required'],
    ['CONN', '554 5.7.1 No SMTP service here'],
    ['EHLO', '550 5.7.1 Client host rejected'],
    ['DATA', '451 4.3.0 Try again later'],
  ])('is null for a reply to %s, "%s", which is temporary or of the configuration', (command, response) => {
    expect(refusalOf(error(command, response))).toBeNull();
  });

  it('is null for a lost connection', () => {
    expect(refusalOf({ message: 'read ECONNRESET', code: 'ESOCKET', command: 'CONN' })).toBeNull();
  });

  it('is final for a mail that is larger than the server announced to accept', () => {
    const tooLarge = { message: 'Message size larger than allowed 10', code: 'EMESSAGE', command: 'MAIL FROM' };
    expect(refusalOf(tooLarge)).toMatchObject({ status: '5.3.4', isAddressInvalid: false });
  });
});
