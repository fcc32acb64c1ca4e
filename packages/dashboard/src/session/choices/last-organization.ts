const KEY = 'agate.organization';

/** The organization that was open last in this browser. Null on the first visit. */
export function lastOrganization(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function keepOrganization(id: string): void {
  try {
    localStorage.setItem(KEY, id);
  } catch {
    // Storage is blocked, so the start page opens the first organization.
  }
}
