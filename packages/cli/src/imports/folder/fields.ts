import { isAbsolute, normalize, sep } from 'node:path';
import { type Platform, PLATFORMS } from '@agate/client';
import { usageError } from '../../output/cli-error';

/**
 * The path of a file inside the folder.
 * @param at names the field, to begin the message.
 * @throws CliError for a path that leads out of it.
 */
export function fileWithin(path: string, at: string): string {
  const file = normalize(path);
  if (isAbsolute(file) || file === '..' || file.startsWith(`..${sep}`)) {
    throw usageError(`${at} must be a file in the folder, not "${path}".`);
  }
  return file;
}

/** @throws CliError for anything but the name of a platform. */
export function platformOf(text: string, at: string): Platform {
  const platform = PLATFORMS.find((each) => each === text.toLowerCase());
  if (!platform) throw usageError(`${at} must be one of ${PLATFORMS.join(', ')}, not "${text}".`);
  return platform;
}

/** A time in any form that JavaScript reads, as RFC 3339. @throws CliError for other texts. */
export function timeOf(text: string | null, at: string): string | null {
  if (text === null) return null;
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw usageError(`${at} must be a time such as 2026-11-20T18:03:00Z, not "${text}".`);
  return time.toISOString();
}
