import { type IconName } from '../../ui';

const ICONS: Readonly<Record<string, IconName>> = { android: 'android', ios: 'apple', macos: 'apple' };

/** The icon of a platform, for places where its name stands in the text. */
export const platformIcon = (platform: string): IconName => ICONS[platform] ?? 'desktop';
