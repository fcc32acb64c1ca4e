import { MAIL_COLORS } from '#infra/mail/mail-colors';

/** WCAG 2.2, 1.4.3: the lowest contrast of text of any size. */
export const MIN_CONTRAST = 4.5;

/** The colours of links and main buttons in one theme, as `#rrggbb`. */
export interface AccentShades {
  readonly accent: string;
  /** Under the pointer. */
  readonly deep: string;
  /** The text of a button whose ground is the accent. */
  readonly onAccent: string;
}

export interface AccentTheme {
  readonly light: AccentShades;
  readonly dark: AccentShades;
}

type Color = readonly [red: number, green: number, blue: number];

const ACCENT = /^#[0-9a-f]{6}$/;
const WHITE = '#ffffff';
const BLACK = '#000000';

/** What an accent is used on: links and icons stand on these grounds, and the texts of buttons on the accent. */
const LIGHT_GROUNDS = [MAIL_COLORS.light.sheet, MAIL_COLORS.light.sunk, WHITE];
const DARK_ON_ACCENT = MAIL_COLORS.dark.ground;
const DARK_GROUNDS = [MAIL_COLORS.dark.sheet, MAIL_COLORS.dark.sunk, DARK_ON_ACCENT];
/** The parts of white in the steps from an accent to its shade on dark grounds. */
const LIGHTENING_STEP = 0.02;
const DEEPER = 0.22;

/** Whether a text is a colour as `#rrggbb`, in lower case. */
export const isAccent = (text: string): boolean => ACCENT.test(text);

/** The contrast of two colours (WCAG 2.2, "contrast ratio"): 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The lowest contrast of an accent with what it is used on in the light theme. In the dark theme, a lighter shade of it is used. */
export const contrastOfAccent = (accent: string): number => lowest(accent, LIGHT_GROUNDS);

/**
 * The shades of an accent whose contrast is sufficient. In the dark theme it is mixed with as little white as its contrast there needs, so
 * that the contrast is sufficient in both themes.
 */
export function accentTheme(accent: string): AccentTheme {
  let dark = accent;
  for (let part = 0; lowest(dark, DARK_GROUNDS) < MIN_CONTRAST && part < 1;) {
    part += LIGHTENING_STEP;
    dark = mixed(accent, WHITE, part);
  }
  return {
    light: { accent, deep: mixed(accent, BLACK, DEEPER), onAccent: WHITE },
    dark: { accent: dark, deep: mixed(dark, WHITE, DEEPER), onAccent: DARK_ON_ACCENT },
  };
}

/** The style sheet that gives the sheet of a page its accent. The footer, which stands on another ground, keeps the service's. */
export function accentStyles(accent: string): string {
  const { light, dark } = accentTheme(accent);
  return `main{${variables(light)}}@media (prefers-color-scheme:dark){main{${variables(dark)}}}\n`;
}

const variables = ({ accent, deep, onAccent }: AccentShades): string =>
  `--accent:${accent};--accent-deep:${deep};--on-accent:${onAccent}`;

const lowest = (color: string, grounds: readonly string[]): number =>
  Math.min(...grounds.map((ground) => contrastOf(color, ground)));

const channelsOf = (color: string): Color => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)) as never;

const mixed = (color: string, other: string, part: number): string => {
  const others = channelsOf(other);
  const channels = channelsOf(color).map((channel, index) => channel + (others[index]! - channel) * Math.min(part, 1));
  return `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
};

/** WCAG 2.2, "relative luminance": 0 to 1. */
function luminanceOf(color: string): number {
  const [red, green, blue] = channelsOf(color).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Color;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
