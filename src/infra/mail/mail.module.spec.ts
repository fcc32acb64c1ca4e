import { pino } from 'pino';
import { MailConfig, RuntimeConfig } from '#infra/config/config';
import { Logger } from '#infra/logging/logger';
import { MailModule } from './mail.module';
import { FileMailer } from './mailers/file-mailer';
import { SmtpMailer } from './mailers/smtp-mailer';

describe('a start without a mail server', () => {
  const linesOf = (environment: RuntimeConfig['environment'], url?: string): string[] => {
    const lines: string[] = [];
    const logger = new Logger(pino({}, { write: (line: string) => lines.push(line) }));
    const mail = Object.assign(new MailConfig(), { url });
    const runtime = Object.assign(new RuntimeConfig(), { environment, dataDirectory: '/var/lib/agate' });
    new MailModule(
      mail,
      runtime,
      new FileMailer('/', { address: 'a@localhost' }, logger, { logsLinks: false }),
      logger,
    ).onModuleInit();
    return lines;
  };

  it('logs one warning in production, which names the folder with the password reset links', () => {
    const [line, ...others] = linesOf('production');
    expect(others).toEqual([]);
    expect(JSON.parse(line!)).toMatchObject({ level: 40, directory: '/var/lib/agate/mail' });
    expect(line).toContain('MAIL_URL is not set');
  });

  it('logs nothing with a mail server, or outside production', () => {
    expect([...linesOf('production', 'smtp://mail.example.com'), ...linesOf('development')]).toEqual([]);
  });
});

describe('the first connection to the mail server', () => {
  // red when: a start says nothing about a mail server that no mail can reach
  it('logs one warning that says what is wrong, without the URL', async () => {
    const url = 'smtp://ann:secret@127.0.0.1:1?requireTLS=true';
    const from = { address: 'agate@localhost' };
    const mailer = new SmtpMailer({ url, from, baseUrl: 'http://localhost', isProduction: true });
    const line = await new Promise<string>((write) => {
      const logger = new Logger(pino({}, { write }));
      new MailModule(new MailConfig(), new RuntimeConfig(), mailer, logger).tryServer();
    });
    expect(JSON.parse(line)).toMatchObject({ level: 40, reason: expect.stringContaining('ECONNREFUSED') as string });
    expect(line).not.toContain('secret');
    mailer.onApplicationShutdown();
  });
});
