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

describe('an answer owed to somebody without access', () => {
  /** A request with a key that was answered so, and is claimed by nobody: whoever asks for the claim is refused. */
  const scene = (answer: StoredResponse | null, key: string = randomUUID()) => {
    const idempotency = {
      recall: () => Promise.resolve(answer),
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
    const told: { status?: number; replayed?: string } = {};
    const response = {
      status: (status: number) => (told.status = status),
      setHeader: (_: string, value: string) => (told.replayed = value),
    };
    const execution = {
      getHandler: () => Object.getOwnPropertyDescriptor(Route.prototype, 'remove')?.value as unknown,
      switchToHttp: () => ({ getRequest: () => request, getResponse: () => response }),
    } as unknown as ExecutionContext;
    const owed = new ReplayAfterAccessLoss(new Reflector(), idempotency as never);
    const interceptor = new IdempotencyInterceptor(new Reflector(), idempotency as never, owed, {} as never);
    const handle = () => {
      throw new TypeError('was handled');
    };
    return { owed, execution, told, ask: () => firstValueFrom(interceptor.intercept(execution, { handle })) };
  };

  // red when: `owes` does not remember what it found: the answer may be pruned until the key is claimed, and the effect made again
  it('is all that they get, and nothing is done for it', async () => {
    const { owed, execution, told, ask } = scene({ status: 204, body: null });
    expect(await owed.owes(execution)).toBe(true);
    expect(await ask()).toBeUndefined();
    expect(told).toEqual({ status: 204, replayed: 'true' });
  });

  // red when: an answer with a body is given, or a key that is none refused, to somebody who may not ask at all
  it.each<[string, StoredResponse | null, string]>([
    ['nothing was answered', null, randomUUID()],
    ['it could tell them something', { status: 200, body: { name: 'secret' } }, randomUUID()],
    ['the key is none', { status: 204, body: null }, 'nonsense'],
  ])('is none when %s', async (_, answer, key) => {
    const { owed, execution } = scene(answer, key);
    expect(await owed.owes(execution)).toBe(false);
  });
});
