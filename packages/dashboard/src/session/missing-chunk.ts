const KEY = 'agate.reloaded-at';
const AGAIN_MS = 60_000;

/** Reloads the page once when a file of an older version of the dashboard is gone. Not twice within a minute. */
export function reloadOnceOnMissingChunk(): void {
  addEventListener('vite:preloadError', (event) => {
    const reloadedAt = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - reloadedAt < AGAIN_MS) return;
    event.preventDefault();
    sessionStorage.setItem(KEY, String(Date.now()));
    location.reload();
  });
}
