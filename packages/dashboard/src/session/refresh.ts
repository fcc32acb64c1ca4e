const REFRESHED_AT = 'agate.refreshed-at';
/** A token pair that another tab received less than this time ago is still valid. */
const FRESH_MS = 5_000;

let underWay: Promise<boolean> | null = null;

/** Renews the session's cookies, once for all tabs. False when the service rejected it: the session has ended. */
export function refresh(): Promise<boolean> {
  underWay ??= once().finally(() => {
    underWay = null;
  });
  return underWay;
}

function once(): Promise<boolean> {
  const asked = Date.now();
  const work = async (): Promise<boolean> => {
    const refreshedAt = Number(readMark() ?? 0);
    if (refreshedAt > asked - FRESH_MS && refreshedAt <= Date.now()) return true;
    const response = await fetch('/api/v1/login/refresh', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ cookies_only: true }),
    });
    if (response.ok) writeMark();
    return response.ok;
  };
  // Browsers provide locks only on https pages and on localhost. Without them each tab refreshes for itself.
  const { locks } = navigator as { locks?: LockManager };
  return locks ? locks.request('agate-refresh', work) : work();
}

function readMark(): string | null {
  try {
    return localStorage.getItem(REFRESHED_AT);
  } catch {
    return null;
  }
}

function writeMark(): void {
  try {
    localStorage.setItem(REFRESHED_AT, String(Date.now()));
  } catch {
    // Storage is blocked, so the next tab refreshes its own session.
  }
}
