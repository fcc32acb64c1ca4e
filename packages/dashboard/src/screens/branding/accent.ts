/** As the service computes it (`src/infra/pages/accent.ts`); a test compares the two. */
const LIGHT_GROUNDS = ['#fffdfa', '#f6f3ed', '#ffffff'];
const DARK_ON_ACCENT = '#131719';
const DARK_GROUNDS = ['#1b2123', '#232a2d', DARK_ON_ACCENT];
const STEP = 0.02;

/** WCAG 2.2, 1.4.3. */
export const MIN_CONTRAST = 4.5;

export const isAccent = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

export interface Shades {
  readonly accent: string;
  readonly onAccent: string;
}

/** The lowest contrast of an accent with what it is used on in the light theme. */
export const contrastOfAccent = (accent: string): number => lowest(accent, LIGHT_GROUNDS);

/** The colours that pages use for an accent. */
export function accentShades(accent: string): { readonly light: Shades; readonly dark: Shades } {
  let dark = accent;
  for (let part = 0; lowest(dark, DARK_GROUNDS) < MIN_CONTRAST && part < 1;) {
    part += STEP;
    dark = whitened(accent, part);
  }
  return { light: { accent, onAccent: '#ffffff' }, dark: { accent: dark, onAccent: DARK_ON_ACCENT } };
}

const channelsOf = (color: string): number[] => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

const whitened = (color: string, part: number): string =>
  `#${channelsOf(color)
    .map((channel) => Math.round(channel + (255 - channel) * Math.min(part, 1)))
    .map((channel) => channel.toString(16).padStart(2, '0'))
    .join('')}`;

const lowest = (color: string, grounds: readonly string[]): number =>
  Math.min(...grounds.map((ground) => contrastOf(color, ground)));

function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
