import { type AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface CountingSmtp {
  readonly url: string;
  /** The recipients of accepted mails, one entry per mail and recipient. */
  readonly accepted: readonly string[];
  readonly stop: () => Promise<void>;
}

/** An SMTP server that accepts every mail and records each one. The mailbox of files would hide a mail that is sent twice. */
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
