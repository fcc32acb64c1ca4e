import { type AppResponse, type Platform } from '@agate/client';
import { type Build } from '../../queries/project/builds';

/** The version of Android that introduced each API level. */
const ANDROID: Readonly<Record<number, string>> = {
  19: '4.4',
  21: '5.0',
  22: '5.1',
  23: '6.0',
  24: '7.0',
  25: '7.1',
  26: '8.0',
  27: '8.1',
  28: '9',
  29: '10',
  30: '11',
  31: '12',
  32: '12L',
  33: '13',
  34: '14',
  35: '15',
  36: '16',
  37: '17',
};

/** The API level with the well-known version number: "Android 7.0 (API 24)". */
export const androidLevel = (level: number): string =>
  ANDROID[level] === undefined ? `API ${level}` : `Android ${ANDROID[level]} (API ${level})`;

interface App {
  readonly platform: Platform;
  readonly app: Pick<AppResponse, 'min_os_version' | 'min_sdk'>;
}

/** The oldest system that a build runs on; null when its file does not say. */
export function minimumOs({ app, platform }: App): string | null {
  if (app.min_sdk !== null) return androidLevel(app.min_sdk);
  if (app.min_os_version === null) return null;
  return platform === 'ios' ? `iOS ${app.min_os_version}` : app.min_os_version;
}

/** Compares dotted numbers such as 2.10 and 2.9. */
export function compareNumbers(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => (text.match(/\d+/g) ?? []).map(Number));
  for (let at = 0; at < Math.max(left?.length ?? 0, right?.length ?? 0); at++) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether a build does not run on some devices on which another build runs. */
export function needsNewerOs(after: Build, before: Build): boolean {
  if (after.app.min_sdk !== null && before.app.min_sdk !== null) return after.app.min_sdk > before.app.min_sdk;
  const [to, from] = [after.app.min_os_version, before.app.min_os_version];
  return to !== null && from !== null && compareNumbers(to, from) > 0;
}
