import 'reflect-metadata';
import { EventEmitter } from 'node:events';
import { type ExecutionContext } from '@nestjs/common';
import { firstValueFrom, from } from 'rxjs';
import { type Identity } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { type RateLimitConfig } from '#infra/config/config';
import { HeavyInterceptor, HeavyTurns } from './heavy';
import { HeavyReadInterceptor } from './heavy-read';

const ANN: Identity = { kind: 'jwt', developerId: 'ann', email: 'ann@example.com', emailVerified: true };

/** Requests whose handlers end when the test says so. */
class Requests {
  readonly started: string[] = [];
  readonly contexts: RequestContext[] = [];
  private readonly ends = new Map<string, () => void>();
  private readonly clients = new Map<string, EventEmitter>();
  private readonly read = new HeavyReadInterceptor(true);
  private readonly turn: HeavyInterceptor;

  constructor(rateLimitFactor = 1) {
    this.turn = new HeavyInterceptor(new HeavyTurns(), { rateLimitFactor } as RateLimitConfig);
  }

  /** Sends a request to the organization that is named by the first letter. Returns its result or error. */
  send(name: string): Promise<unknown> {
    const request = { context: { identity: ANN, organizationId: name[0] } as RequestContext };
    const response = new EventEmitter();
    this.clients.set(name, response);
    const http = { getRequest: () => request, getResponse: () => response };
    const execution = { switchToHttp: () => http } as unknown as ExecutionContext;
    const handle = (): ReturnType<typeof from<Promise<string>>> => {
      this.started.push(name);
      this.contexts.push(request.context);
      return from(new Promise<string>((resolve) => this.ends.set(name, () => resolve(name))));
    };
    const inTurn = { handle: () => this.turn.intercept(execution, { handle }) };
    return firstValueFrom(this.read.intercept(execution, inTurn)).catch((error: unknown) => error);
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  }

  async disconnect(name: string): Promise<void> {
    this.clients.get(name)?.emit('close');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('HeavyInterceptor', () => {
  // red when: organizations share the places
  it('runs two requests of an organization concurrently, and those of others beside them', async () => {
    const requests = new Requests();
    const answers = ['a1', 'a2', 'a3', 'b1'].map((name) => requests.send(name));
    await requests.end('none');
    expect(requests.started).toEqual(['a1', 'a2', 'b1']);
    await requests.end('a1');
    expect(requests.started).toEqual(['a1', 'a2', 'b1', 'a3']);
    for (const name of ['a2', 'a3', 'b1']) await requests.end(name);
    expect(await Promise.all(answers)).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  // red when: the waiting requests of an organization are not bounded
  it('rejects a request with 429 and Retry-After when sixteen of its organization wait', async () => {
    const requests = new Requests();
    for (let n = 1; n <= 18; n++) void requests.send(`a${n}`);
    expect(await requests.send('a19')).toMatchObject({
      errorCase: 'rate_limit_exceeded',
      retryAfterSeconds: 2,
      details: { retry_after_seconds: 2 },
    });
    void requests.send('b1');
    await requests.end('none');
    expect(requests.started).toEqual(['a1', 'a2', 'b1']);
  });

  // red when: the request of a client that has disconnected keeps its place in the line, or is handled
  it('forgets a waiting request when its client disconnects', async () => {
    const requests = new Requests();
    const answers = Array.from({ length: 18 }, (_, n) => requests.send(`a${n + 1}`));
    await requests.disconnect('a3');
    expect(await answers[2]).toMatchObject({ errorCase: 'operation_not_allowed' });
    void requests.send('a19');
    await requests.end('a1');
    await requests.end('a2');
    expect(requests.started).toEqual(['a1', 'a2', 'a4', 'a5']);
  });

  // red when: the place is free as soon as the client has disconnected, while the statement still runs
  it('keeps the place of a running request when its client disconnects, and aborts its signal', async () => {
    const requests = new Requests();
    for (const name of ['a1', 'a2', 'a3']) void requests.send(name);
    await requests.disconnect('a1');
    expect(requests.started).toEqual(['a1', 'a2']);
    expect(requests.contexts.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
    await requests.end('a1');
    expect(requests.started).toEqual(['a1', 'a2', 'a3']);
  });

  it('does not limit requests when rate limiting is disabled', async () => {
    const requests = new Requests(0);
    for (const name of ['a1', 'a2', 'a3']) void requests.send(name);
    await requests.end('none');
    expect(requests.started).toEqual(['a1', 'a2', 'a3']);
  });
});
