import { useSyncExternalStore } from 'react';
import { readCookie, writeCookie } from './cookies';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const COOKIE = 'agate_theme';
type Listener = () => void;
const listeners = new Set<Listener>();

function onThemeChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The chosen theme. `system` follows the setting of the device. */
export function currentTheme(): Theme {
  const chosen = readCookie(COOKIE);
  return THEMES.find((theme) => theme === chosen) ?? 'system';
}

/** Applies and stores a theme. The service writes it into the page, so that the first paint has its colours. */
export function keepTheme(theme: Theme): void {
  writeCookie(COOKIE, theme);
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  for (const listener of listeners) listener();
}

/** The chosen theme. Updates when another part of the page changes it. */
export const useTheme = (): Theme => useSyncExternalStore(onThemeChange, currentTheme);
