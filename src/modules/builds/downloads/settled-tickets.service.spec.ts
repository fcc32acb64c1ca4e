import { ANONYMOUS } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { type CachedTicket, SettledTicketsService } from './settled-tickets.service';

// The spec needs only the type of the repository, so its imports are not loaded.
jest.mock('./downloads.repository', () => ({ MAX_TIMES: 3 }));

const ctx: RequestContext = { requestId: 'r', sourceIp: null, identity: ANONYMOUS, clock: { now: () => new Date(0) } };
const cachedOf = (id: string, key = 'blob'): CachedTicket => ({
  ticket: { id, buildId: 'b', reservationId: 'r', settled: true, streamed: false, attachmentKind: null },
  file: { fileName: 'a.ipa', sizeBytes: 10, sha256: '', blob: { account: 'hosted', key } },
});

interface Statement {
  readonly bytes: Readonly<Record<string, number>>;
  readonly answer: (servedBefore: Readonly<Record<string, number>>) => void;
  readonly fail: (error: Error) => void;
}

describe('SettledTicketsService', () => {
  let statements: Statement[];
  let service: SettledTicketsService;
  beforeEach(() => {
    statements = [];
    const countAgain = (_: unknown, uses: { id: string; bytes: number }[]): Promise<Map<string, number>> =>
      new Promise((resolve, reject) => {
        const bytes = Object.fromEntries(uses.map((use) => [use.id, use.bytes]));
        statements.push({ bytes, answer: (before) => resolve(new Map(Object.entries(before))), fail: reject });
      });
    service = new SettledTicketsService({ countAgain } as never);
  });
  const settles = (): Promise<void> => new Promise(setImmediate);

  // red when: a response that arrives during a statement starts its own
  it('counts all responses that arrive during a statement with the next one, and each ticket once', async () => {
    const first = service.count(ctx, cachedOf('a'), 1);
    const later = [
      service.count(ctx, cachedOf('a'), 2),
      service.count(ctx, cachedOf('b'), 3),
      service.count(ctx, cachedOf('a'), 4),
    ];
    expect(statements.map(({ bytes }) => bytes)).toEqual([{ a: 1 }]);
    statements[0]!.answer({ a: 0 });
    expect(await first).toBe(true);
    await settles();
    expect(statements.map(({ bytes }) => bytes)).toEqual([{ a: 1 }, { a: 6, b: 3 }]);
    statements[1]!.answer({ a: 1, b: 0 });
    expect(await Promise.all(later)).toEqual([true, true, true]);
    void service.count(ctx, cachedOf('a'), 5);
    expect(statements).toHaveLength(3);
  });

  // red when: all responses of a ticket are admitted because the first one is
  it('admits responses of one ticket in order while the bytes before each are below three times the artifact', async () => {
    void service.count(ctx, cachedOf('other'), 1);
    const admitted = [9, 10, 10, 1].map((bytes) => service.count(ctx, cachedOf('a'), bytes));
    statements[0]!.answer({ other: 0 });
    await settles();
    statements[1]!.answer({ a: 10 });
    // The tickets had served 10, 19 and 29 bytes before, and then 39.
    expect(await Promise.all(admitted)).toEqual([true, true, true, false]);
  });

  it('counts nothing for a ticket that the statement skips, or whose artifact has another place than in a waiting response', async () => {
    const counted = service.count(ctx, cachedOf('a'), 1);
    const waiting = service.count(ctx, cachedOf('b', 'new'), 1);
    expect(await service.count(ctx, cachedOf('b', 'old'), 1)).toBe(false);
    statements[0]!.answer({});
    expect(await counted).toBe(false);
    await settles();
    statements[1]!.answer({ b: 0 });
    expect(await waiting).toBe(true);
  });

  // red when: the number of tickets of a statement has no limit
  it('counts at most a hundred tickets with a statement', async () => {
    for (let n = 0; n < 251; n += 1) void service.count(ctx, cachedOf(`t${n}`), 1);
    for (let n = 0; n < 4; n += 1) {
      statements[n]!.answer({});
      await settles();
    }
    expect(statements.map(({ bytes }) => Object.keys(bytes).length)).toEqual([1, 100, 100, 50]);
  });

  it('rejects the responses of a statement that fails, and counts the next ones', async () => {
    const failing = service.count(ctx, cachedOf('a'), 1);
    const next = service.count(ctx, cachedOf('a'), 1);
    statements[0]!.fail(new Error('lost'));
    await expect(failing).rejects.toThrow('lost');
    await settles();
    statements[1]!.answer({ a: 0 });
    expect(await next).toBe(true);
  });

  it('keeps only settled tickets, and drops one that is no longer valid', () => {
    const digest = Buffer.from('digest');
    const cached = cachedOf('a');
    service.cache(digest, { ...cached, ticket: { ...cached.ticket, settled: false } });
    expect(service.find(digest)).toBeUndefined();
    service.cache(digest, cached);
    expect(service.find(digest)).toBe(cached);
    service.cache(digest, null);
    expect(service.find(digest)).toBeUndefined();
  });
});
