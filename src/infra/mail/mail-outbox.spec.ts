import { randomBytes } from 'node:crypto';
import { ANONYMOUS } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { Sealer } from '#infra/crypto/sealer';
import { Metrics } from '#infra/metrics/metrics';
import { type Transactions } from '#infra/database/transactions';
import { type JobEnvelope, Jobs } from '#infra/jobs/jobs';
import { type MailDraft, type MailMessage } from './mail-message';
import { MailOutbox } from './mail-outbox';
import { Mailer } from './mailers/mailer';

class RecordingMailer extends Mailer {
  readonly sent: MailMessage[] = [];

  send(message: MailMessage): Promise<void> {
    this.sent.push(message);
    return Promise.resolve();
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
  const stored: { envelope: JobEnvelope; key: unknown; priority: unknown; text: string }[] = [];
  const query = (_sql: string, [, json, , , key, priority]: unknown[]): Promise<void> => {
    stored.push({ envelope: JSON.parse(String(json)) as JobEnvelope, key, priority, text: String(json) });
    return Promise.resolve();
  };
  const jobs = new Jobs({ manager: () => ({ query }) } as unknown as Transactions, undefined as never);
  const mailer = new RecordingMailer();
  const outbox = new MailOutbox(
    jobs,
    mailer,
    new Sealer([{ id: 'k1', secret: randomBytes(32) }]),
    new Metrics(ctx.clock),
  );
  outbox.onModuleInit();

  const runJob = async (payload: object): Promise<void> => {
    const run = { id: '1', attempt: 1, signal: new AbortController().signal };
    await jobs.handlers.get('mail.send')?.(ctx, payload, run);
  };

  beforeEach(() => {
    stored.length = 0;
    mailer.sent.length = 0;
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

  it('passes the deduplication key to the job', async () => {
    await outbox.queue(ctx, DRAFT, { key: 'release-1:tester-2' });
    expect(stored[0]?.key).toBe('mail.send:release-1:tester-2');
  });

  it('gives a bulk mail a lower priority than other mails', async () => {
    await outbox.queue(ctx, DRAFT, { bulk: true });
    await outbox.queue(ctx, DRAFT);
    expect(Number(stored[0]!.priority)).toBeGreaterThan(Number(stored[1]!.priority));
  });

  it('rejects a malformed address when the mail is queued', async () => {
    const draft = { ...DRAFT, to: { address: 'ann@example.net\r\nBcc: eve@example.com' } };
    await expect(outbox.queue(ctx, draft)).rejects.toMatchObject({ errorCase: 'invalid_input' });
    expect(stored).toEqual([]);
  });
});
