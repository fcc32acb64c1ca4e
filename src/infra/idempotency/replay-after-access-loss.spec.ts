import { randomUUID } from 'node:crypto';
import { type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { firstValueFrom } from 'rxjs';
import { ANONYMOUS } from '#kernel/context/identity';
import { IdempotencyInterceptor } from './idempotency.interceptor';
import { type StoredResponse } from './idempotency.service';
import { Idempotent } from './idempotent';
import { ReplayAfterAccessLoss } from './replay-after-access-loss';

class Route {
  @Idempotent()
  remove(): void {
    return undefined;
  }
}

describe('ReplayAfterAccessLoss', () => {
  /** A request with a key that has this stored response. A claim of the key fails the test. */
  const fixture = (stored: StoredResponse | null, key: string = randomUUID()) => {
    const idempotency = {
      recall: () => Promise.resolve(stored),
      admit: () => Promise.reject(new TypeError('was claimed')),
    };
    const request = {
      method: 'DELETE',
      path: '/projects/1',
      route: { path: '/projects/:id' },
      query: {},
      get: () => key,
      context: { requestId: 'r', sourceIp: null, identity: ANONYMOUS, clock: { now: () => new Date(0) } },
    };
    const sent: { status?: number; replayed?: string } = {};
    const response = {
      status: (status: number) => (sent.status = status),
      setHeader: (_: string, value: string) => (sent.replayed = value),
    };
    const execution = {
      getHandler: () => Object.getOwnPropertyDescriptor(Route.prototype, 'remove')?.value as unknown,
      switchToHttp: () => ({ getRequest: () => request, getResponse: () => response }),
    } as unknown as ExecutionContext;
    const replays = new ReplayAfterAccessLoss(new Reflector(), idempotency as never);
    const interceptor = new IdempotencyInterceptor(new Reflector(), idempotency as never, {} as never);
    const handle = () => {
      throw new TypeError('was handled');
    };
    return { replays, execution, sent, intercept: () => firstValueFrom(interceptor.intercept(execution, { handle })) };
  };

  // red when: `find` does not keep the response on the request: the record may be pruned before the interceptor runs, which
  // would then run the handler
  it('replays the stored response without running the handler', async () => {
    const { replays, execution, sent, intercept } = fixture({ status: 204, body: null });
    expect(await replays.find(execution)).toBe(true);
    expect(await intercept()).toBeUndefined();
    expect(sent).toEqual({ status: 204, replayed: 'true' });
  });

  // red when: a response with a body is replayed, or an invalid key is an error, for a caller without access
  it.each<[string, StoredResponse | null, string]>([
    ['there is no stored response', null, randomUUID()],
    ['the stored response has a body', { status: 200, body: { name: 'secret' } }, randomUUID()],
    ['the key is not a UUID', { status: 204, body: null }, 'nonsense'],
  ])('finds nothing when %s', async (_, stored, key) => {
    const { replays, execution } = fixture(stored, key);
    expect(await replays.find(execution)).toBe(false);
  });
});
