import { classNames } from './class-names';
import { type MORE_ICONS } from './more-icons';

/** The drawings of the screens before the login. All others are in a file that is loaded behind it. */
const FIRST = {
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  external: 'M14 4h6v6M20 4l-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5',
  eye: 'M2 12s3.5-6.5 10-6.5S22 12 22 12s-3.5 6.5-10 6.5S2 12 2 12zM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
  'eye-off':
    'M4 4l16 16M9.5 6A9.6 9.6 0 0 1 12 5.500C18.5 5.5 22 12 22 12a17 17 0 0 1-3 3.600M6.5 7.500A16 16 0 0 0 2 12s3.5 6.5 10 6.500a9.6 9.6 0 0 0 4.5-1.100M10 10a3 3 0 0 0 4 4',
  problem: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 8v5M12 16h.01',
  info: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 11v5M12 8h.01',
  success: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM8 12.500l3 3 5-6',
  lock: 'M6 11h12a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-8a1 1 0 0 1 1-1zM8 11V7a4 4 0 0 1 8 0v4',
  refresh: 'M20 12a8 8 0 1 1-2.5-5.800M20 4v5h-5',
  spinner: 'M12 3a9 9 0 1 1-9 9',
} as const;

const strokes = new Map<string, string>(Object.entries(FIRST));

/** Adds the drawings of the screens behind the login. */
export function addIcons(more: Readonly<Record<string, string>>): void {
  for (const [name, stroke] of Object.entries(more)) strokes.set(name, stroke);
}

export type IconName = keyof typeof FIRST | keyof typeof MORE_ICONS;

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
      <path d={strokes.get(name)} />
    </svg>
  );
}
