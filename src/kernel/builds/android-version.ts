/** Chrome, and the browsers that are made from it, name every system and device so. */
const FROZEN = /\bAndroid 10; K\)/;
const SYSTEM = /\bAndroid (\d{1,3}(?:\.\d{1,3}){0,2})\b/;

/** The version of Android that a user agent names. `null` when it names none, or the same one for every device. */
export const androidVersionOf = (userAgent: string): string | null =>
  FROZEN.test(userAgent) ? null : (SYSTEM.exec(userAgent)?.[1] ?? null);
