const KEY = 'agate.reloaded-at';
const AGAIN_MS = 60_000;

/**
 * Reloads the page once when a file of an older version of the dashboard is gone. Not twice within a minute, and not while the service does
 * not answer: the browser would replace the page by one of its own.
 */
export function reloadOnceOnMissingChunk(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    // The router would reload once more by itself, for each file. It does not when this says that it has.
    sessionStorage.setItem(`tanstack_router_reload:${payload.message}`, '1');
    void reloadIfServed();
  });
}

async function reloadIfServed(): Promise<void> {
  // The service answers addresses of the dashboard only when a page is accepted.
  const page = await fetch(location.href, { method: 'HEAD', headers: { Accept: 'text/html' } }).catch(() => undefined);
  const reloadedAt = Number(sessionStorage.getItem(KEY) ?? 0);
  if (!page?.ok || Date.now() - reloadedAt < AGAIN_MS) return;
  sessionStorage.setItem(KEY, String(Date.now()));
  location.reload();
}
