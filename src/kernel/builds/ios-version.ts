/** Safari names a later system as this one, from iOS 26 on, and its own version is that of the system. */
const FROZEN = '18.6';
const SYSTEM = /\bOS (\d{1,3}(?:[._]\d{1,3}){0,2}) like Mac OS X/;
const INSTALLER = /\biOS\/(\d{1,3}(?:\.\d{1,3}){0,2})/;
const SAFARI = /\bVersion\/(\d{1,3}(?:\.\d{1,3}){0,2})/;

/** The version of iOS or iPadOS that a user agent names. `null` when it names none, or one that may stand for a later one. */
export function iosVersionOf(userAgent: string): string | null {
  const installer = INSTALLER.exec(userAgent)?.[1];
  if (installer && !userAgent.startsWith('Mozilla')) return installer;
  const system = SYSTEM.exec(userAgent)?.[1]?.replaceAll('_', '.');
  if (!system) return null;
  return isOlder(system, FROZEN) ? system : (SAFARI.exec(userAgent)?.[1] ?? null);
}

/** Whether a version is older than another. Both are dotted numbers; missing ones count as 0. */
export function isOlder(version: string, other: string): boolean {
  const [left, right] = [version, other].map((text) => text.split('.').map(Number)) as [number[], number[]];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
