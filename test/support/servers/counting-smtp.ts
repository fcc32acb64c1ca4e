import { type AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface CountingSmtp {
  readonly url: string;
  /** The recipient of each accepted mail. */
  readonly accepted: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Starts an SMTP server that accepts every mail and records it. Unlike mails written as files, a second copy of a mail is visible. */
export async function startCountingSmtp(): Promise<CountingSmtp> {
  const accepted: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      stream.resume().once('end', () => {
        accepted.push(...session.envelope.rcptTo.map(({ address }) => address));
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const stop = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  return { url: `smtp://127.0.0.1:${port}`, accepted, stop };
}
