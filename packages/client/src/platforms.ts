import { type Platform } from './generated';

/** The platforms of builds, in the order of lists. */
export const PLATFORMS = ['ios', 'android', 'macos', 'windows', 'linux'] as const satisfies readonly Platform[];
