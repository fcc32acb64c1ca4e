/** What a build runs on (contract §7). */
export const PLATFORMS = ['ios', 'android', 'macos', 'windows', 'linux'] as const;
export type Platform = (typeof PLATFORMS)[number];

export const isPlatform = (value: string): value is Platform => (PLATFORMS as readonly string[]).includes(value);
