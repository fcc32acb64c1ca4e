import { isDialogOpen } from '../palette/palette-state';

/** The screens that a letter after `G` opens. */
export const GO_TO = {
  o: 'overview',
  b: 'builds',
  c: 'channels',
  t: 'testers',
  m: 'members',
  a: 'audit',
  s: 'settings',
} as const;

export type GoTo = (typeof GO_TO)[keyof typeof GO_TO];

const ARROWS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };
const SETTING = 'agate.single-keys';
/** The maximum time between the two keys of a sequence. */
const SECOND_KEY_MS = 1_500;

/** Whether keys without Ctrl or Cmd have an effect. Developers can switch them off in the account, for speech input and unsteady hands. */
export function hasSingleKeys(): boolean {
  try {
    return localStorage.getItem(SETTING) !== 'off';
  } catch {
    return true;
  }
}

export interface ShortcutActs {
  readonly openPalette: () => void;
  readonly openHelp: () => void;
  readonly upload: () => void;
  readonly goTo: (screen: GoTo) => void;
}

/** Handles the keys of the whole page that need no modifier. Returns the function that stops it. */
export function listenToShortcuts(acts: ShortcutActs): () => void {
  let goAt = -Infinity;
  const singleKey = (event: KeyboardEvent, key: string): (() => void) | undefined => {
    const screen = event.timeStamp - goAt < SECOND_KEY_MS ? GO_TO[key as keyof typeof GO_TO] : undefined;
    goAt = key === 'g' ? event.timeStamp : -Infinity;
    return screen ? () => acts.goTo(screen) : actOf(key, acts);
  };
  const keyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || hasModifier(event) || isDialogOpen()) return;
    if (!hasSingleKeys() || isTyping(event.target)) return;
    const act = singleKey(event, event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (!act) return;
    event.preventDefault();
    act();
  };
  addEventListener('keydown', keyDown);
  return () => removeEventListener('keydown', keyDown);
}

const hasModifier = ({ altKey, ctrlKey, metaKey }: KeyboardEvent): boolean => altKey || ctrlKey || metaKey;

/** The action of a key; undefined when the screen has none for it. */
function actOf(key: string, acts: ShortcutActs): (() => void) | undefined {
  if (/^[a-z]$/.test(key)) return (letterActs(acts)[key] ?? buttonOf)(key);
  if (key === '?') return acts.openHelp;
  if (key === '/') return searchField() ? () => searchField()?.focus() : acts.openPalette;
  if (key === 'Enter') return openRow();
  // In other places the arrows scroll.
  const step = ARROWS[key];
  return step && currentRow() && moveIn(step);
}

const letterActs = (acts: ShortcutActs): Readonly<Record<string, () => (() => void) | undefined>> => ({
  u: () => acts.upload,
  j: () => moveIn(1),
  k: () => moveIn(-1),
  x: () => checkboxOf(currentRow()),
});

/** Whether the element itself takes letters. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox';
  return target.isContentEditable || target.closest('textarea, select, [role="menu"], [role="listbox"]') !== null;
}

const inScreen = <E extends HTMLElement>(selector: string): E | null => document.querySelector<E>(`main ${selector}`);
const searchField = (): HTMLInputElement | null => inScreen('input[type="search"]');
const currentRow = (): HTMLElement | undefined =>
  document.activeElement?.closest<HTMLElement>('main [data-row]') ?? undefined;

/** The element that opens a row: its first link, else its first button. */
const openerOf = (row: HTMLElement | undefined): HTMLElement | null =>
  row?.querySelector<HTMLElement>('a[href]') ?? row?.querySelector<HTMLElement>('button') ?? null;

function moveIn(step: 1 | -1): (() => void) | undefined {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  if (rows.length === 0) return undefined;
  const row = currentRow();
  const target = row ? rows[rows.indexOf(row) + step] : rows[0];
  return () => {
    const element = openerOf(target) ?? target?.querySelector<HTMLElement>('input');
    element?.focus();
    target?.scrollIntoView({ block: 'nearest' });
  };
}

function checkboxOf(row: HTMLElement | undefined): (() => void) | undefined {
  const checkbox = row?.querySelector<HTMLInputElement>('input[type="checkbox"]');
  return checkbox ? () => checkbox.click() : undefined;
}

/** The browser handles Enter on a link or a button. On a checkbox, Enter opens the row. */
function openRow(): (() => void) | undefined {
  const isCheckbox = document.activeElement instanceof HTMLInputElement;
  const opener = isCheckbox ? openerOf(currentRow()) : null;
  return opener ? () => opener.click() : undefined;
}

/** A button of the screen that names the key as its shortcut. */
function buttonOf(key: string): (() => void) | undefined {
  if (!/^[a-z]$/.test(key)) return undefined;
  const button = inScreen(`[aria-keyshortcuts="${key.toUpperCase()}"]`);
  if (!button) return undefined;
  return () => {
    button.focus();
    button.click();
  };
}
