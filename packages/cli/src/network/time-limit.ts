/**
 * Does work with a signal that aborts after a time, or with another signal. `AbortSignal.any` holds a signal of `AbortSignal.timeout` only
 * weakly: a garbage collection would end the limit.
 */
export async function withTimeLimit<T>(
  signal: AbortSignal,
  limitMs: number,
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(signal.reason);
  const timer = setTimeout(() => controller.abort(new DOMException('The time is over', 'TimeoutError')), limitMs);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
