const KEY = 'agate.single-keys';

/** Whether shortcuts of a single key act in this browser. On by default. WCAG 2.1.4 demands that they can be switched off. */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}

export function keepSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'off');
  } catch {
    // Storage is blocked, so the shortcuts stay on.
  }
}
