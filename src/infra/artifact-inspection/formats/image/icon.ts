import { orNull } from '../../inspection-errors';
import { LIMITS } from '../../limits/limits';
import { type WorkBudget } from '../../limits/work-budget';
import { cleanPng, isPng } from './png';
import { cleanWebp, isWebp } from './webp';

/** An icon that is safe to serve to browsers: its content matches its media type, and its bytes and pixels are limited. */
export interface Icon {
  readonly bytes: Buffer;
  readonly mediaType: 'image/png' | 'image/webp';
}

/** Converts an image from a package into an icon. `null` when that fails; the build then has no icon. */
export function toIcon(bytes: Buffer, budget: WorkBudget): Icon | null {
  const icon = orNull((): Icon | null => {
    if (isPng(bytes)) return { bytes: cleanPng(bytes, budget), mediaType: 'image/png' };
    return isWebp(bytes) ? { bytes: cleanWebp(bytes, budget), mediaType: 'image/webp' } : null;
  });
  return icon && icon.bytes.length <= LIMITS.servedIconBytes ? icon : null;
}
