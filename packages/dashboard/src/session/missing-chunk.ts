const KEY = 'agate.reloaded-at';
const AGAIN_MS = 60_000;

/**
 * Reloads the page once when a file of an older version of the dashboard no longer exists. Not twice within a minute, and not while the
 * service is unavailable: the browser would replace the page by its own error page.
 */
export function reloadOnceOnMissingChunk(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    // The router would also reload, once for each file. This value tells it that it already has.
    sessionStorage.setItem(`tanstack_router_reload:${payload.message}`, '1');
    void reloadIfServed();
  });
}

/** Whether the service sends its page. It responds to addresses of the dashboard only when the request accepts HTML. */
export async function isServed(): Promise<boolean> {
  const page = await fetch(location.href, { method: 'HEAD', headers: { Accept: 'text/html' } }).catch(() => undefined);
  return page?.ok === true;
}

async function reloadIfServed(): Promise<void> {
  const served = await isServed();
  const reloadedAt = Number(sessionStorage.getItem(KEY) ?? 0);
  if (!served || Date.now() - reloadedAt < AGAIN_MS) return;
  sessionStorage.setItem(KEY, String(Date.now()));
  location.reload();
}
