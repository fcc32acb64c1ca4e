import { waitForTurn } from './wait-for-turn';

const answer = (status: number, retryAfter?: string): Response =>
  new Response('', { status, headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter } });

describe('waitForTurn', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** Sends a request that gets these responses, the last of them any number of times. */
  function sent(responses: Response[], init?: RequestInit): { result: Promise<unknown>; count: () => number } {
    let count = 0;
    const send = (): Promise<Response> => Promise.resolve(responses[Math.min(count++, responses.length - 1)]!);
    const result = waitForTurn(send, init).then(
      ({ status }) => status,
      (error: unknown) => error,
    );
    return { result, count: () => count };
  }

  it('repeats a rejected request after the seconds in Retry-After', async () => {
    const { result, count } = sent([answer(429, '2'), answer(200)]);
    await jest.advanceTimersByTimeAsync(1_900);
    expect(count()).toBe(1);
    await jest.advanceTimersByTimeAsync(200);
    expect([await result, count()]).toEqual([200, 2]);
  });

  it.each([
    ['a change', answer(429, '2'), { method: 'POST' }],
    ['a long pause', answer(429, '60'), {}],
    ['a rejection without Retry-After', answer(429), {}],
    ['another status', answer(503, '1'), {}],
  ])('returns the response immediately for %s', async (_, response, init) => {
    const { result, count } = sent([response], init);
    expect([await result, count()]).toEqual([response.status, 1]);
  });

  it('gives up after three repetitions', async () => {
    const { result, count } = sent([answer(429, '1')]);
    await jest.advanceTimersByTimeAsync(10_000);
    expect([await result, count()]).toEqual([429, 4]);
  });

  it('stops waiting when the request is aborted', async () => {
    const gone = new AbortController();
    const { result, count } = sent([answer(429, '2')], { signal: gone.signal });
    await jest.advanceTimersByTimeAsync(100);
    gone.abort(new Error('gone'));
    expect([await result, count()]).toEqual([new Error('gone'), 1]);
  });
});
