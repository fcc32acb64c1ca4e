/** What stands for an app without an icon. */
export interface AppInitial {
  readonly letter: string;
  /** One of `SHADES`. */
  readonly shade: number;
}

/** The number of colours: of `.shade-n` in `page.css`, and of `SHADE_COLORS` in mails. */
const SHADES = 6;

/** The first letter of an app's name. The shade depends on the name alone, so an app keeps it. */
export function appInitialOf(name: string): AppInitial {
  const letter = name.match(/[\p{L}\p{N}]/u)?.[0]?.toLocaleUpperCase() ?? '·';
  const sum = [...name].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
  return { letter, shade: sum % SHADES };
}
