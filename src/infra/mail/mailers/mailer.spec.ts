import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { pino } from 'pino';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { Logger } from '#infra/logging/logger';
import { aMail, describeMailer, type MailerHarness, SENDER } from '../../../../test/suites/mailer.suite';
import { FileMailer } from './file-mailer';
import { MailRefusedError, UnconfirmedMailError } from './mailer';
import { SMTP_TIMEOUTS, SmtpMailer, type SmtpMailerOptions } from './smtp-mailer';

interface SmtpHarness extends MailerHarness {
  readonly recipients: readonly string[];
  readonly port: number;
}

const smtpMailer = (url: string, options: Partial<SmtpMailerOptions> = {}): SmtpMailer =>
  new SmtpMailer({ url, from: SENDER, baseUrl: 'https://apps.example.org', isProduction: false, ...options });

async function startSmtp(options: SMTPServerOptions = {}): Promise<SmtpHarness> {
  const mails: Buffer[] = [];
  const recipients: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks));
        recipients.push(...session.envelope.rcptTo.map(({ address }) => address));
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const mailer = smtpMailer(`smtp://127.0.0.1:${port}`);
  const stop = (): Promise<void> => {
    mailer.onApplicationShutdown();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return { mailer, recipients, port, received: () => Promise.resolve(mails), stop };
}

interface FileHarness extends MailerHarness {
  readonly directory: string;
  readonly logLines: Record<string, unknown>[];
}

async function startFiles({ logsLinks = true } = {}): Promise<FileHarness> {
  const parent = await mkdtemp(join(tmpdir(), 'agate mail '));
  const directory = join(parent, 'mail');
  const logLines: Record<string, unknown>[] = [];
  const write = (line: string): void => void logLines.push(JSON.parse(line) as Record<string, unknown>);
  const mailer = new FileMailer(directory, SENDER, new Logger(pino({ base: null }, { write })), { logsLinks });
  const received = async (): Promise<Buffer[]> => {
    const names = await readdir(directory).catch(() => []);
    return Promise.all(names.sort().map((name) => readFile(join(directory, name))));
  };
  return { mailer, directory, logLines, received, stop: () => rm(parent, { recursive: true }) };
}

describeMailer('SmtpMailer', startSmtp);
describeMailer('FileMailer', () => startFiles());

describe('SmtpMailer', () => {
  it('sends exactly one RCPT TO', async () => {
    const smtp = await startSmtp();
    await smtp.mailer.send(aMail({ to: { address: 'ann@example.net', name: 'Eve <eve@example.com>, Bob' } }));
    expect(smtp.recipients).toEqual(['ann@example.net']);
    await smtp.stop();
  });

  it('rejects when the server is not reachable', async () => {
    const smtp = await startSmtp();
    await smtp.stop();
    const mailer = smtpMailer(`smtp://127.0.0.1:${smtp.port}`);
    await expect(mailer.send(aMail())).rejects.toMatchObject({ code: 'ESOCKET' });
    mailer.onApplicationShutdown();
  });

  const refusal = (responseCode: number): Error => Object.assign(new Error('not now'), { responseCode });

  it.each<[string, SMTPServerOptions]>([
    ['the connection with 421', { onConnect: (_session, done) => done(refusal(421)) }],
    ['the recipient with 450', { onRcptTo: (_address, _session, done) => done(refusal(450)) }],
    ['the recipient with 550', { onRcptTo: (_address, _session, done) => done(refusal(550)) }],
    [
      'the data with 451',
      {
        onData: (stream, _session, done) => {
          stream.resume();
          stream.on('end', () => done(refusal(451)));
        },
      },
    ],
  ])('rejects when the server rejects %s', async (_case, options) => {
    const smtp = await startSmtp(options);
    await expect(smtp.mailer.send(aMail())).rejects.toThrow();
    await smtp.stop();
  });

  it('removes the recipient from the error of the server', async () => {
    const smtp = await startSmtp({
      onRcptTo: ({ address }, _session, done) =>
        done(Object.assign(new Error(`no <${address}>`), { responseCode: 550 })),
    });
    const error: unknown = await smtp.mailer.send(aMail()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: '550', isAddressInvalid: true });
    // red when: the error is rethrown unchanged
    expect(inspect(error, { depth: 5, showHidden: true })).not.toContain('ann@example.net');
    await smtp.stop();
  });

  it('says whether the address is invalid when the server refuses for good', async () => {
    const smtp = await startSmtp({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('5.1.1 unknown'), { responseCode: 550 })),
      onData: (stream) => stream.resume(),
    });
    const error: unknown = await smtp.mailer.send(aMail()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MailRefusedError);
    expect(error).toMatchObject({ status: '5.1.1', isAddressInvalid: true });
    await smtp.stop();
  });

  // red when: the response to the whole mail has the timeout of commands
  it('waits ten minutes for the response to a mail, and five for commands', () => {
    expect(SMTP_TIMEOUTS).toMatchObject({ commandsMs: 300_000, confirmationMs: 600_000 });
  });

  describe('when the server has the whole mail and does not respond', () => {
    const silentAfterData = (received: () => void): SMTPServerOptions => ({
      onData: (stream) => void stream.resume().once('end', received),
    });

    // red when: the timeout is an error like any other, which is retried immediately
    it('says that the mail may be delivered, after the timeout for confirmations', async () => {
      const smtp = await startSmtp(silentAfterData(() => undefined));
      const timeouts = { ...SMTP_TIMEOUTS, confirmationMs: 50 };
      const mailer = smtpMailer(`smtp://127.0.0.1:${smtp.port}`, { timeouts });
      await expect(mailer.send(aMail())).rejects.toThrow(UnconfirmedMailError);
      mailer.onApplicationShutdown();
      await smtp.stop();
    });

    it('says so when the process stops', async () => {
      const stopping = new AbortController();
      const smtp = await startSmtp(silentAfterData(() => stopping.abort()));
      await expect(smtp.mailer.send(aMail(), stopping.signal)).rejects.toMatchObject({
        name: 'UnconfirmedMailError',
        isOutage: false,
      });
      await smtp.stop();
    });
  });

  it('does not say so when the server did not respond to a command', async () => {
    const smtp = await startSmtp({ onRcptTo: () => undefined });
    const timeouts = { ...SMTP_TIMEOUTS, connectMs: 2_000, commandsMs: 50 };
    const mailer = smtpMailer(`smtp://127.0.0.1:${smtp.port}`, { timeouts });
    await expect(mailer.send(aMail({ text: 'x'.repeat(100_000) }))).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    mailer.onApplicationShutdown();
    await smtp.stop();
  });

  it('presents itself with the host of BASE_URL', async () => {
    let name: string | undefined;
    const smtp = await startSmtp({
      onMailFrom: (_address, session, done) => {
        name = session.hostNameAppearsAs;
        done();
      },
    });
    await smtp.mailer.send(aMail());
    expect(name).toBe('apps.example.org');
    await smtp.stop();
  });

  // red when: STARTTLS is only used when the server offers it
  it('sends neither credentials nor mails when TLS is required and not offered', async () => {
    const commands: string[] = [];
    const smtp = await startSmtp({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => {
        commands.push('AUTH');
        done(null, { user: 'ann' });
      },
      onMailFrom: (_address, _session, done) => {
        commands.push('MAIL');
        done();
      },
    });
    const mailer = smtpMailer(`smtp://ann:secret@127.0.0.1:${smtp.port}?requireTLS=true`);
    await expect(mailer.send(aMail())).rejects.toThrow('does not offer TLS');
    await expect(mailer.verify()).rejects.toThrow('does not offer TLS');
    expect(commands).toEqual([]);
    mailer.onApplicationShutdown();
    await smtp.stop();
  });

  it('sends over a new connection after the server has rejected a mail', async () => {
    let refusals = 1;
    const smtp = await startSmtp({
      onMailFrom: (_address, _session, done) => (refusals-- > 0 ? done(refusal(451)) : done()),
    });
    const message = aMail();
    await expect(smtp.mailer.send(message)).rejects.toThrow();
    await smtp.mailer.send(message);
    expect(await smtp.received()).toHaveLength(1);
    await smtp.stop();
  });

  it('logs in with the credentials in the URL', async () => {
    const seen: unknown[] = [];
    const smtp = await startSmtp({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) => {
        seen.push({ username, password });
        done(null, { user: username });
      },
    });
    const mailer = smtpMailer(`smtp://ann%40x:p%2Fw@127.0.0.1:${smtp.port}`);
    await mailer.send(aMail());
    expect(seen).toEqual([{ username: 'ann@x', password: 'p/w' }]);
    mailer.onApplicationShutdown();
    await smtp.stop();
  });
});

describe('FileMailer', () => {
  let files: FileHarness;
  beforeEach(async () => (files = await startFiles()));
  afterEach(() => files.stop());

  it('names the file by time and id, makes it private, and leaves no temporary file', async () => {
    const message = aMail();
    await files.mailer.send(message);
    const name = `20261120T180300000Z-${message.id}.eml`;
    expect(await readdir(files.directory)).toEqual([name]);
    expect((await stat(join(files.directory, name))).mode & 0o777).toBe(0o600);
    expect((await stat(files.directory)).mode & 0o777).toBe(0o700);
  });

  it('replaces the file of the same mail', async () => {
    const message = aMail();
    await files.mailer.send(message);
    await files.mailer.send(message);
    expect(await files.received()).toHaveLength(1);
  });

  it('logs the first link', async () => {
    await files.mailer.send(aMail({ text: 'a\nhttp://localhost:3000/verify?token=s3cret&x=1\nhttps://other.example' }));
    expect(files.logLines).toEqual([
      expect.objectContaining({
        link: 'http://localhost:3000/verify?token=s3cret&x=1',
        to: 'ann@example.net',
        subject: 'A subject',
      }),
    ]);
  });

  // red when: the link or the recipient is logged in production
  it('logs in production only the path of the file', async () => {
    const production = await startFiles({ logsLinks: false });
    const message = aMail({ text: 'http://localhost:3000/verify?token=s3cret' });
    await production.mailer.send(message);
    expect(production.logLines).toEqual([
      {
        ...{ level: 40, time: expect.any(Number) as number },
        file: expect.stringContaining(message.id) as string,
        msg: expect.stringContaining('MAIL_URL') as string,
      },
    ]);
    expect(JSON.stringify(production.logLines)).not.toMatch(/s3cret|example\.net|A subject/);
    await production.stop();
  });

  it('rejects when it cannot write the file', async () => {
    await writeFile(files.directory, 'not a directory');
    await expect(files.mailer.send(aMail())).rejects.toThrow();
    expect(files.logLines).toEqual([]);
    await rm(files.directory);
  });
});
