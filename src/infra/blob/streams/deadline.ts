/** Longer than any answer to a small request takes, and half of what a client of ours should wait for a 503. */
const DEADLINE_MS = 4_000;

/**
 * Gives `work` a signal that ends it after four seconds, retries and all. A stream that `work` resolves with is not bound by it.
 */
export async function withDeadline<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), DEADLINE_MS);
  try {
    return await work(deadline.signal);
  } finally {
    clearTimeout(timer);
  }
}
