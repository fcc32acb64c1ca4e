/** A request that would have to wait longer is answered with 429, and the screen shows how long. */
const LONGEST_PAUSE_S = 10;
const REPETITIONS = 3;

/**
 * Repeats a reading request that the service rejects with 429, after the seconds in its `Retry-After`: several counts, a search and an
 * export of an organization may ask for their turns at the same time.
 * @param longestS the longest pause in seconds that the request waits.
 */
export async function waitForTurn(
  send: () => Promise<Response>,
  { method = 'GET', signal }: Pick<RequestInit, 'method' | 'signal'> = {},
  longestS = LONGEST_PAUSE_S,
): Promise<Response> {
  for (let repetition = 0; ; repetition++) {
    const response = await send();
    if (response.status !== 429 || method !== 'GET' || repetition === REPETITIONS) return response;
    const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
    if (!(seconds <= longestS)) return response;
    await pause(seconds * 1_000, signal);
  }
}

function pause(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
