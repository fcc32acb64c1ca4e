import { type AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface RefusingSmtp {
  readonly url: string;
  /** Replies so to mails to the address, such as `550 5.1.1 User unknown`. */
  readonly refuse: (address: string, reply: string) => void;
  /** Accepts all mails. */
  readonly accept: () => void;
  /** The number of times that the address was tried. */
  readonly attempts: (address: string) => number;
  readonly stop: () => Promise<void>;
}

/** Starts an SMTP server that refuses recipients on demand. */
export async function startRefusingSmtp(): Promise<RefusingSmtp> {
  const refusals = new Map<string, string>();
  const attempts = new Map<string, number>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      attempts.set(address, (attempts.get(address) ?? 0) + 1);
      const reply = refusals.get(address);
      if (reply === undefined) return done();
      done(Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) }));
    },
    onData: (stream, _session, done) => void stream.resume().once('end', () => done()),
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    refuse: (address, reply) => refusals.set(address, reply),
    accept: () => refusals.clear(),
    attempts: (address) => attempts.get(address) ?? 0,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
