import { useState } from 'react';
import { classNames } from '../class-names';
import s from './display.module.css';

export interface AppIconProps {
  /** The name from which the letter and its shade follow. */
  readonly name: string;
  readonly src?: string | null;
  /** Default 40. */
  readonly size?: 24 | 32 | 40 | 64 | 96;
}

const SHADES = 6;

/** The same name always has the same shade, here and on the install pages. */
function shadeOf(name: string): number {
  let sum = 0;
  for (const character of name) sum += character.codePointAt(0) ?? 0;
  return sum % SHADES;
}

const letterOf = (name: string): string => (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '·').toLocaleUpperCase();

/** The icon of an app, or its first letter. It has no accessible name, because the app's name is beside it. */
export function AppIcon({ name, src, size = 40 }: AppIconProps) {
  const [failed, setFailed] = useState<string>();
  const look = classNames('app-icon', s.appIcon, s[`size${size}`]);
  if (src && src !== failed) {
    return (
      <img
        className={look}
        src={src}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
        onError={() => setFailed(src)}
      />
    );
  }
  return <LetterIcon className={classNames(look, s[`shade${shadeOf(name)}`])} text={letterOf(name)} />;
}

export interface AvatarProps {
  /** The name of a person or an organization. */
  readonly name: string;
  /** Default 32. */
  readonly size?: 24 | 32 | 40;
  /** For an organization. */
  readonly square?: boolean;
}

/** The initials of a person or an organization. */
export function Avatar({ name, size = 32, square }: AvatarProps) {
  const words = name.split(/[\s@.]+/).filter(Boolean);
  const initials = words.slice(0, 2).map(letterOf).join('');
  const look = classNames('app-icon', square ? s.appIcon : s.avatar, s[`size${size}`], s[`shade${shadeOf(name)}`]);
  return <LetterIcon className={look} text={initials || '·'} />;
}

function LetterIcon({ className, text }: { readonly className: string; readonly text: string }) {
  return (
    <svg className={className} viewBox="0 0 96 96" aria-hidden="true" focusable="false">
      <rect width="96" height="96" />
      <text x="48" y="50" textAnchor="middle" dominantBaseline="central">
        {text}
      </text>
    </svg>
  );
}
