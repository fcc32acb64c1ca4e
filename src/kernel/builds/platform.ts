/** The operating system that a build runs on. */
export const PLATFORMS = ['ios', 'android', 'macos', 'windows', 'linux'] as const;
export type Platform = (typeof PLATFORMS)[number];

export const isPlatform = (value: string): value is Platform => (PLATFORMS as readonly string[]).includes(value);
