const KEY = 'agate.reloaded-at';
const AGAIN_MS = 60_000;

/** Reloads the page once when a file of an older version of the dashboard is gone. Not twice within a minute. */
export function reloadOnceOnMissingChunk(): void {
  addEventListener('vite:preloadError', (event) => {
    // The router would reload once more by itself, for each file. It does not when this says that it has.
    sessionStorage.setItem(`tanstack_router_reload:${event.payload.message}`, '1');
    const reloadedAt = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - reloadedAt < AGAIN_MS) return;
    event.preventDefault();
    sessionStorage.setItem(KEY, String(Date.now()));
    location.reload();
  });
}
