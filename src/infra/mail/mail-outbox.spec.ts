import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { pino } from 'pino';
import { ANONYMOUS } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { Sealer } from '#infra/crypto/sealer';
import { type Transactions } from '#infra/database/transactions';
import { type JobEnvelope, Jobs } from '#infra/jobs/jobs';
import { Logger } from '#infra/logging/logger';
import { Metrics } from '#infra/metrics/metrics';
import { type MailDraft, type MailMessage } from './mail-message';
import { type FailedMail, MailOutbox, type RecipientVerdict } from './mail-outbox';
import { Mailer, MailRefusedError, UnconfirmedMailError } from './mailers/mailer';

class RecordingMailer extends Mailer {
  readonly sent: MailMessage[] = [];
  /** The outcome of the next mails. */
  failure: Error | undefined;

  send(message: MailMessage): Promise<void> {
    this.sent.push(message);
    return this.failure ? Promise.reject(this.failure) : Promise.resolve();
  }
}

const NOW = new Date('2026-11-20T18:03:00.123Z');
const ctx: RequestContext = {
  requestId: 'r',
  sourceIp: null,
  identity: ANONYMOUS,
  clock: { now: () => NOW },
};
const DRAFT: MailDraft = {
  to: { address: 'ann@example.net', name: 'Ann' },
  subject: 'S3CRET subject',
  html: '<p>S3CRET html ü</p>',
  text: 'S3CRET text ü',
  headers: { 'List-Id': '<x.example.org>' },
};

describe('MailOutbox', () => {
  const stored: { envelope: JobEnvelope; key: unknown; priority: unknown; runAt: unknown; text: string }[] = [];
  const statements: string[] = [];
  const query = (sql: string, values: unknown[]): Promise<void> => {
    statements.push(sql);
    const [, json, runAt, , ...others] = values;
    const [key, priority] = Array.isArray(json) ? [null, others[0]] : others;
    for (const text of [json].flat().map(String)) {
      stored.push({ envelope: JSON.parse(text) as JobEnvelope, key, priority, runAt, text });
    }
    return Promise.resolve();
  };
  const transactions = {
    manager: () => ({ query }),
    run: (tx: RequestContext, work: (tx: RequestContext) => unknown) => work(tx),
  } as unknown as Transactions;
  const jobs = new Jobs(transactions, undefined as never);
  const logged: string[] = [];
  const mailer = new RecordingMailer();
  const sealer = new Sealer([{ id: 'k1', secret: randomBytes(32) }]);
  const outbox = new MailOutbox(
    jobs,
    mailer,
    sealer,
    new Metrics(ctx.clock),
    transactions,
    new Logger(pino({ base: null }, { write: (line: string) => logged.push(line) })),
  );
  outbox.onModuleInit();
  const failed: FailedMail[] = [];
  outbox.failures.add((_tx, mail) => Promise.resolve(void failed.push(mail)));

  const runJob = async (payload: object): Promise<void> => {
    const run = { id: '1', attempt: 1, signal: new AbortController().signal };
    await jobs.handlers.get('mail.send')?.(ctx, payload, run);
  };

  beforeEach(() => {
    stored.length = 0;
    statements.length = 0;
    mailer.sent.length = 0;
    mailer.failure = undefined;
    logged.length = 0;
    failed.length = 0;
  });

  it('stores a mail sealed, and sends it unchanged', async () => {
    await outbox.queue(ctx, DRAFT);
    expect(stored).toHaveLength(1);
    const { envelope, text } = stored[0]!;
    for (const secret of ['S3CRET', 'ann@', Buffer.from('S3CRET').toString('base64').slice(0, 7)]) {
      expect(text).not.toContain(secret); // red when: the payload is not sealed
    }
    await runJob(envelope.data);
    const id = (envelope.data as { id: string }).id;
    expect(mailer.sent).toEqual([{ ...DRAFT, id, queuedAt: NOW }]);
  });

  it('sends the same message on each attempt', async () => {
    await outbox.queue(ctx, DRAFT);
    const { data } = stored[0]!.envelope;
    await runJob(data);
    await runJob(data);
    expect(mailer.sent[1]).toEqual(mailer.sent[0]);
  });

  it('does not open the sealed content of another mail', async () => {
    await outbox.queue(ctx, DRAFT);
    await outbox.queue(ctx, DRAFT);
    const [first, second] = stored.map(({ envelope }) => envelope.data as { id: string; sealed: string });
    await expect(runJob({ ...first!, sealed: second!.sealed })).rejects.toThrow('cannot be opened');
    expect(mailer.sent).toEqual([]);
  });

  // red when: `send` does not check the recipient
  it('sends nothing to a recipient who was deleted after the mail was queued', async () => {
    const existing = new Set(['t1', 't2']);
    outbox.sendOnlyWhile('tester', (_ctx, { id }) => Promise.resolve(existing.has(id)));
    await outbox.queue(ctx, DRAFT, { recipient: { kind: 'tester', id: 't1' } });
    await outbox.queue(ctx, DRAFT, { recipient: { kind: 'tester', id: 't2' } });
    await outbox.queue(ctx, DRAFT);
    existing.delete('t1');
    for (const { envelope } of stored) await runJob(envelope.data);
    const ids = stored.map(({ envelope }) => (envelope.data as { id: string }).id);
    expect(mailer.sent.map(({ id }) => id)).toEqual(ids.slice(1));
  });

  const TESTER = { kind: 'tester', id: 't2' } as const;

  // red when: a permanent refusal is retried
  it.each([
    ['invalid', new MailRefusedError('5.1.1', true, 'unknown'), '5.1.1'],
    ['valid', new MailRefusedError('5.7.1', false, 'blocked'), null],
  ])('ends the job with one log line when the server refuses a mail to an %s address', async (_case, error, code) => {
    await outbox.queue(ctx, DRAFT, { recipient: TESTER });
    mailer.failure = error;
    await runJob(stored[0]!.envelope.data);
    expect(stored).toHaveLength(1);
    expect(failed).toEqual([{ recipient: TESTER, invalidAddress: code }]);
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain(error.status);
    expect(logged[0]).not.toContain('stack');
  });

  it('sends nothing to an address that is known to be invalid, and reports the mail as failed', async () => {
    let verdict: RecipientVerdict = 'unreachable';
    outbox.sendOnlyWhile('tester', () => Promise.resolve(verdict));
    await outbox.queue(ctx, DRAFT, { recipient: TESTER });
    await runJob(stored[0]!.envelope.data);
    expect(mailer.sent).toEqual([]);
    expect(failed).toEqual([{ recipient: TESTER, invalidAddress: null }]);
    verdict = true;
  });

  // red when: the job of a mail that the server did not confirm is retried after seconds
  it('sends a mail that the server did not confirm once more, half an hour later, and then never', async () => {
    await outbox.queue(ctx, DRAFT);
    mailer.failure = new UnconfirmedMailError(true, 'timeout');
    await runJob(stored[0]!.envelope.data);
    expect(stored).toHaveLength(2);
    expect(stored[1]!.runAt).toEqual(new Date(NOW.getTime() + 30 * 60_000));
    await runJob(stored[1]!.envelope.data);
    expect(stored).toHaveLength(2);
    expect(mailer.sent[1]).toEqual(mailer.sent[0]);
  });

  it('retries a mail after every other error', async () => {
    await outbox.queue(ctx, DRAFT);
    mailer.failure = new Error('450 later');
    await expect(runJob(stored[0]!.envelope.data)).rejects.toThrow('450 later');
  });

  describe('with images that many mails share', () => {
    const ICON = Buffer.from('the icon of a build');
    const draftWith = (id: string): MailDraft => ({
      ...DRAFT,
      images: [{ name: 'qr', base64: 'cXI=' }],
      sharedImages: [{ name: 'icon', shared: { kind: 'icon', id } }],
    });
    const runAll = async (): Promise<void> => {
      for (const { envelope } of stored) await runJob(envelope.data);
    };

    // red when: the image is a part of each queued mail, or is read for each
    it('stores none of them, and reads each once for ten thousand mails', async () => {
      const read = jest.fn(() => Promise.resolve(ICON));
      outbox.readSharedImages('icon', read);
      for (let at = 0; at < 100; at++) await outbox.queue(ctx, draftWith('b1'));
      expect(JSON.stringify(stored)).not.toContain(ICON.toString('base64'));
      // Each job runs a hundred times, because sealing ten thousand mails takes long.
      for (let time = 0; time < 100; time++) await runAll();
      expect(mailer.sent).toHaveLength(10_000);
      expect(read).toHaveBeenCalledTimes(1);
      const images = [
        { name: 'qr', base64: 'cXI=' },
        { name: 'icon', base64: ICON.toString('base64') },
      ];
      expect(mailer.sent.at(-1)).toMatchObject({ images });
      expect(mailer.sent.at(-1)).not.toHaveProperty('sharedImages');
    });

    it('sends a transparent pixel for an image that was deleted', async () => {
      outbox.readSharedImages('icon', () => Promise.resolve(null));
      await outbox.queue(ctx, draftWith('b2'));
      await runAll();
      expect(mailer.sent[0]?.images?.[1]).toMatchObject({
        name: 'icon',
        base64: expect.stringMatching(/^iVBOR/) as string,
      });
    });
  });

  it('passes the deduplication key to the job', async () => {
    await outbox.queue(ctx, DRAFT, { key: 'release-1:tester-2' });
    expect(stored[0]?.key).toBe('mail.send:release-1:tester-2');
  });

  describe('with many mails', () => {
    const compose = jest.fn((_ctx: RequestContext, { secret }: { readonly secret: string }) =>
      Promise.resolve<MailDraft | null>({ ...DRAFT, text: secret }),
    );
    const mailsTo = (...ids: string[]) =>
      ids.map((id) => ({ content: { secret: `S3CRET ${id}` }, recipient: { kind: 'tester', id } as const }));
    const dataOf = (index: number) => stored[index]!.envelope.data as { id: string; recipient: { id: string } };
    outbox.composeWhenSent('news', compose);
    beforeEach(() => compose.mockClear());

    // red when: each mail is a statement
    it('queues them with one statement', async () => {
      await outbox.queueAll(ctx, 'news', mailsTo('a', 'b', 'c'), 0);
      expect(statements).toHaveLength(1);
      expect([0, 1, 2].map((index) => dataOf(index).recipient.id)).toEqual(['a', 'b', 'c']);
      expect(new Set([0, 1, 2].map((index) => dataOf(index).id)).size).toBe(3);
    });

    // red when: the turn is not a part of the priority, or is more than the queue can store
    it('sends those of lower turns first, and other mails before all of them', async () => {
      for (const turn of [1_000_000, 2, 0]) await outbox.queueAll(ctx, 'news', mailsTo('t2'), turn);
      await outbox.queue(ctx, DRAFT);
      const priorities = stored.map(({ priority }) => Number(priority));
      expect(priorities).toEqual([...priorities].sort((a, b) => b - a));
      expect(new Set(priorities).size).toBe(4);
      expect(priorities[0]).toBeLessThan(2 ** 15);
    });

    // red when: they are rendered before the queue has them, or their content is not sealed
    it('stores only their content, sealed, and composes each when it is sent', async () => {
      await outbox.queueAll(ctx, 'news', mailsTo('t2'), 0);
      expect(compose).not.toHaveBeenCalled();
      expect(stored[0]!.text).not.toContain('S3CRET');
      await runJob(dataOf(0));
      expect(mailer.sent).toEqual([{ ...DRAFT, text: 'S3CRET t2', id: dataOf(0).id, queuedAt: NOW }]);
    });

    it('retries a mail that could not be composed, and one whose composer is of a newer version', async () => {
      await outbox.queueAll(ctx, 'news', mailsTo('t2'), 0);
      await outbox.queueAll(ctx, 'of the next version', mailsTo('t2'), 0);
      compose.mockRejectedValueOnce(new Error('no connection'));
      await expect(runJob(dataOf(0))).rejects.toThrow('no connection');
      await expect(runJob(dataOf(1))).rejects.toThrow('of the next version');
      await runJob(dataOf(0));
      expect(mailer.sent).toMatchObject([{ id: dataOf(0).id, queuedAt: NOW }]);
    });

    it('sends nothing when the composer has nothing to say any more', async () => {
      await outbox.queueAll(ctx, 'news', mailsTo('t2'), 0);
      compose.mockResolvedValueOnce(null);
      await runJob(dataOf(0));
      expect(mailer.sent).toEqual([]);
    });

    it('sends a compressed mail that an earlier version queued', async () => {
      const id = newId();
      const message = { ...DRAFT, id, queuedAt: NOW };
      const sealed = sealer.seal(deflateRawSync(JSON.stringify(message)), `mail|${id}`).toString('base64');
      await runJob({ id, sealed, isCompressed: true });
      expect(mailer.sent).toEqual([message]);
    });
  });

  it('rejects a malformed address when the mail is queued', async () => {
    const draft = { ...DRAFT, to: { address: 'ann@example.net\r\nBcc: eve@example.com' } };
    await expect(outbox.queue(ctx, draft)).rejects.toMatchObject({ errorCase: 'invalid_input' });
    expect(stored).toEqual([]);
  });
});
