import { serviceFetch } from './service-fetch';

/** A response whose body breaks off. */
const brokenOff = (): Response =>
  new Response(new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) }));

describe('A request of the command line', () => {
  afterEach(() => jest.restoreAllMocks());

  // red when: only the head of a response counts, so that a promotion must be repeated by hand and makes a second release
  it('is repeated with the same idempotency key when its response breaks off', async () => {
    const sent = jest.spyOn(globalThis, 'fetch').mockResolvedValueOnce(brokenOff());
    sent.mockResolvedValueOnce(new Response('{"id":"1"}', { status: 201 }));
    const send = serviceFetch({
      newRetries: () => () => 0,
      answered: () => undefined,
      output: { debug: () => undefined },
      signal: new AbortController().signal,
      wait: () => Promise.resolve(),
    });
    const response = await send('https://agate.example.com/api/v1/releases', { method: 'POST' });
    expect([response.status, await response.json()]).toEqual([201, { id: '1' }]);
    const keys = sent.mock.calls.map(([, init]) => new Headers(init?.headers).get('Idempotency-Key'));
    expect(keys).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), keys[0]]);
  });

  it('may have a response without a body', async () => {
    jest.spyOn(globalThis, 'fetch').mockResolvedValueOnce(new Response(null, { status: 204 }));
    const send = serviceFetch({
      newRetries: () => () => null,
      answered: () => undefined,
      output: { debug: () => undefined },
      signal: new AbortController().signal,
      wait: () => Promise.resolve(),
    });
    expect((await send('https://agate.example.com/api/v1/builds/1', { method: 'DELETE' })).status).toBe(204);
  });
});
