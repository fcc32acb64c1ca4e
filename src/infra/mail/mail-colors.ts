/** The colours of pages (`page.css`), by the names of their variables. Mail programs know no variables, so mails repeat the values. */
export const MAIL_COLORS = {
  light: {
    ground: '#f1eee8',
    sheet: '#fffdfa',
    sunk: '#f6f3ed',
    ink: '#1c2426',
    soft: '#56625f',
    line: '#e0dacd',
    accent: '#0b5f68',
    'on-accent': '#ffffff',
    'problem-ground': '#fcebe6',
    'problem-ink': '#93291a',
  },
  dark: {
    ground: '#131719',
    sheet: '#1b2123',
    sunk: '#232a2d',
    ink: '#eceae4',
    soft: '#a6b1b1',
    line: '#313a3d',
    accent: '#84cfcd',
    'on-accent': '#06282b',
    'problem-ground': '#3a1d17',
    'problem-ink': '#ffb8a6',
  },
} as const;

/** `.shade-n` of pages: the ground of an app's initial. */
export const SHADE_COLORS = ['#0b5f68', '#8d4a1f', '#3f5a2c', '#5a4a83', '#2c5686', '#8a3a52'] as const;

/** The bands of the logo that differ from the ground, with their widths in per cent: mail programs show no SVG. */
export const BANDS = [
  { color: '#0b5f68', width: 40 },
  { color: '#7fbcba', width: 24 },
  { color: '#d9a662', width: 20 },
  { color: '#b4652f', width: 16 },
] as const;
