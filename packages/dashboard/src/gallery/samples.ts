import { type IconName } from '../ui';

export const ICONS: readonly IconName[] = [
  'search',
  'plus',
  'check',
  'close',
  'chevron-down',
  'chevron-up',
  'chevron-right',
  'chevron-left',
  'arrow-right',
  'more',
  'menu',
  'upload',
  'download',
  'copy',
  'link',
  'external',
  'trash',
  'edit',
  'eye',
  'eye-off',
  'warning',
  'problem',
  'info',
  'success',
  'clock',
  'user',
  'users',
  'key',
  'shield',
  'lock',
  'settings',
  'card',
  'storage',
  'build',
  'channel',
  'phone',
  'qr',
  'pause',
  'play',
  'refresh',
  'undo',
  'promote',
  'filter',
  'list',
  'overview',
  'logout',
  'globe',
  'sun',
  'moon',
  'branch',
  'mail',
  'code',
  'file',
  'table',
  'chart',
  'spinner',
];

export interface SampleBuild {
  readonly id: string;
  readonly version: string;
  readonly platform: string;
  readonly branch: string;
  readonly commit: string;
  readonly minutes: number;
  readonly by: string;
  readonly channels: readonly string[];
  readonly downloads: string;
  readonly size: string;
  readonly warnings: number;
}

export const BUILDS: readonly SampleBuild[] = [
  {
    id: 'a',
    version: '2.1.0 (210)',
    platform: 'iOS',
    branch: 'main',
    commit: 'a1b2c3d',
    minutes: 3,
    by: 'Ann',
    channels: ['Beta'],
    downloads: '12 (9)',
    size: '67 MB',
    warnings: 1,
  },
  {
    id: 'b',
    version: '2.0.9 (209)',
    platform: 'Android',
    branch: 'release/2',
    commit: '9f8e7d6',
    minutes: 62,
    by: 'CI',
    channels: ['Beta', 'Store'],
    downloads: '40 (31)',
    size: '66 MB',
    warnings: 0,
  },
  {
    id: 'c',
    version: '2.0.8 (208)',
    platform: 'Android',
    branch: 'feature/a-very-long-name-of-a-branch-that-wraps',
    commit: '0c1d2e3',
    minutes: 1500,
    by: 'CI',
    channels: [],
    downloads: '3 (3)',
    size: '66 MB',
    warnings: 0,
  },
];

export const DAYS = Array.from({ length: 30 }, (_, index) => `${index + 1} November`);

/** Numbers that resemble real use: lower at the weekend. */
export const wave = (scale: number, seed: number): number[] =>
  DAYS.map((_, index) => {
    const weekend = (index + 1) % 7 >= 5 ? 0.15 : 1;
    return Math.round(scale * weekend * (0.35 + 0.65 * Math.abs(Math.sin(index * 1.7 + seed))));
  });
