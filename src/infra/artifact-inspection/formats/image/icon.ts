import { LIMITS } from '../../limits';
import { orNull } from '../../inspection-errors';
import { cleanPng, isPng } from './png';
import { cleanWebp, isWebp } from './webp';

/** An icon that a browser can be given: it is what its media type says, bounded in bytes and pixels. */
export interface Icon {
  readonly bytes: Buffer;
  readonly mediaType: 'image/png' | 'image/webp';
}

/** Makes a servable icon of a file from a package, or null: a build without an icon is still a build. */
export function toIcon(bytes: Buffer): Icon | null {
  const icon = orNull((): Icon | null => {
    if (isPng(bytes)) return { bytes: cleanPng(bytes), mediaType: 'image/png' };
    return isWebp(bytes) ? { bytes: cleanWebp(bytes), mediaType: 'image/webp' } : null;
  });
  return icon && icon.bytes.length <= LIMITS.servedIconBytes ? icon : null;
}
