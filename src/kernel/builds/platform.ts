/** What a build runs on (contract §7). */
export const PLATFORMS = ['ios', 'android', 'macos', 'windows', 'linux'] as const;
export type Platform = (typeof PLATFORMS)[number];
