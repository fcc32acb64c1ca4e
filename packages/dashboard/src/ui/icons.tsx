import { classNames } from './class-names';

const STROKES = {
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l5 5',
  plus: 'M12 5v14M5 12h14',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  'chevron-down': 'M6 9l6 6 6-6',
  'chevron-up': 'M6 15l6-6 6 6',
  'chevron-right': 'M9 6l6 6-6 6',
  'chevron-left': 'M15 6l-6 6 6 6',
  'arrow-right': 'M5 12h14M13 6l6 6-6 6',
  more: 'M4.4 12a.6.6 0 1 1 1.2 0 .6.6 0 0 1-1.2 0M11.4 12a.6.6 0 1 1 1.2 0 .6.6 0 0 1-1.2 0M18.4 12a.6.6 0 1 1 1.2 0 .6.6 0 0 1-1.2 0',
  menu: 'M4 7h16M4 12h16M4 17h16',
  upload: 'M12 16V4M7 9l5-5 5 5M4 16v3a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-3',
  download: 'M12 4v12M7 11l5 5 5-5M4 16v3a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-3',
  copy: 'M9 9h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1zM5 15H4a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v1',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7L12 7M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7L12 17',
  external: 'M14 4h6v6M20 4l-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  edit: 'M4 20h4L19.5 8.5a2 2 0 0 0 0-3l-1-1a2 2 0 0 0-3 0L4 16zM13.5 6.5l4 4',
  eye: 'M2 12s3.5-6.5 10-6.5S22 12 22 12s-3.5 6.5-10 6.5S2 12 2 12zM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
  'eye-off':
    'M4 4l16 16M9.5 6A9.6 9.6 0 0 1 12 5.500C18.5 5.5 22 12 22 12a17 17 0 0 1-3 3.600M6.5 7.500A16 16 0 0 0 2 12s3.5 6.5 10 6.500a9.6 9.6 0 0 0 4.5-1.100M10 10a3 3 0 0 0 4 4',
  warning: 'M12 4L2.5 20h19zM12 10v4M12 17h.01',
  problem: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 8v5M12 16h.01',
  info: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 11v5M12 8h.01',
  help: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM9.5 9.500a2.5 2.5 0 1 1 3.4 2.3q-.9.4-.9 1.7M12 17h.01',
  success: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM8 12.500l3 3 5-6',
  clock: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 7v5l3 2',
  user: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 21a8 8 0 0 1 16 0',
  users:
    'M9 5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM2 20a7 7 0 0 1 14 0M16 5a3.5 3.5 0 0 1 0 7M18.5 14.500A7 7 0 0 1 22 20',
  bell: 'M6 17v-6a6 6 0 0 1 12 0v6l2 1H4zM10 21h4',
  key: 'M8 12a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM11 13l9-9M16 8l3 3',
  shield: 'M12 3l8 3v6c0 4.5-3.3 7.7-8 9-4.7-1.3-8-4.5-8-9V6z',
  lock: 'M6 11h12a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-8a1 1 0 0 1 1-1zM8 11V7a4 4 0 0 1 8 0v4',
  settings:
    'M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM12 2.500v3M12 18.500v3M2.5 12h3M18.5 12h3M5.3 5.300l2.1 2.100M16.6 16.600l2.1 2.100M5.3 18.700l2.1-2.100M16.6 7.400l2.1-2.1',
  card: 'M3 6h18v12H3zM3 10h18M7 15h3',
  storage:
    'M12 3c4.4 0 8 1.3 8 3s-3.6 3-8 3-8-1.3-8-3 3.6-3 8-3zM4 6v12c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3',
  build: 'M12 3l8 4.500v9L12 21l-8-4.500v-9zM4 7.500l8 4.5 8-4.500M12 12v9',
  channel:
    'M12 10.500a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zM8 8a5.6 5.6 0 0 0 0 8M16 8a5.6 5.6 0 0 1 0 8M5 5a10 10 0 0 0 0 14M19 5a10 10 0 0 1 0 14',
  android: 'M3 17a9 9 0 0 1 18 0zM7.5 9.500L5 5.500M16.5 9.500L19 5.500M8.5 13.500h.01M15.5 13.500h.01',
  apple:
    'M12 7.500c-3-1.500-6.5.5-6.5 5s3 8 5 8c1 0 1-.5 2-.5s1 .5 2 .5c1.500 0 3-1.500 4-4.500-3-1.500-3-5.500 0-7-1.500-2-4-2.500-6.500-1.500zM12 7.500c0-2 1-3.500 3-4',
  desktop: 'M4 5h16v11H4zM9 20h6M12 16v4',
  phone: 'M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM11 18h2',
  qr: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2M20 14v3M14 20h3M20 20h.01',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 4.500v15l12-7.500z',
  refresh: 'M20 12a8 8 0 1 1-2.5-5.800M20 4v5h-5',
  undo: 'M9 5L4 10l5 5M4 10h10a6 6 0 0 1 0 12h-3',
  promote: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 16V8M8.5 11.500L12 8l3.5 3.5',
  filter: 'M4 6h16M7 12h10M10 18h4',
  list: 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01',
  overview: 'M4 4h7v7H4zM13 4h7v4h-7zM13 10h7v10h-7zM4 13h7v7H4z',
  logout: 'M14 4H6a1 1 0 0 0-1 1v14a1 1 0 0 0 1 1h8M10 12h11M17 8l4 4-4 4',
  globe: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM3 12h18M12 3c3 3 4 6 4 9s-1 6-4 9c-3-3-4-6-4-9s1-6 4-9z',
  sun: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.400M17.6 17.600L19 19M5 19l1.4-1.400M17.6 6.400L19 5',
  moon: 'M20 14A8.5 8.5 0 0 1 10 4a8.5 8.5 0 1 0 10 10z',
  branch: 'M6 3v12M6 15a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM18 3a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM18 9c0 5-6 4-10.5 6.5',
  mail: 'M3 6h18v12H3zM3 7l9 6 9-6',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5',
  file: 'M6 3h8l5 5v12a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM14 3v5h5',
  table: 'M4 5h16v14H4zM4 10h16M4 14.500h16M10 10v9',
  chart: 'M4 20h16M7 16v-5M12 16V6M17 16v-8',
  spinner: 'M12 3a9 9 0 1 1-9 9',
} as const;

export type IconName = keyof typeof STROKES;

export interface IconProps {
  readonly name: IconName;
  readonly className?: string;
}

/**
 * A stroke drawing of 24 units, as large as 1.25 lines of the text beside it. It has no accessible name, because the text beside it has the
 * same meaning.
 */
export function Icon({ name, className }: IconProps) {
  return (
    <svg className={classNames('icon', className)} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={STROKES[name]} />
    </svg>
  );
}
