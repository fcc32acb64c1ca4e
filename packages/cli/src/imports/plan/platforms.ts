import { type Platform } from '@agate/client';

/** The platforms of builds, as the API names them. */
export const PLATFORMS = ['ios', 'android', 'macos', 'windows', 'linux'] as const satisfies readonly Platform[];
