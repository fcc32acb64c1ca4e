import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const css = readFileSync(join(__dirname, 'tokens.css'), 'utf8');
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): (?:light-dark\((#\w+), (#\w+)\)|(#\w+));/g)].map(([, name, light, dark, both]) => [
    name,
    { light: light ?? both ?? '', dark: dark ?? both ?? '' },
  ]),
);

/** Relative luminance as WCAG defines it. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(first: string, second: string): number {
  const [light = 0, dark = 0] = [luminance(first), luminance(second)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const SURFACES = ['ground', 'sheet', 'sunk', 'accent-ground'];
/** The ground of what cannot be used, of neutral badges, and of rows under the pointer. */
const MUTED = [
  ['ink', 'muted'],
  ['soft', 'muted'],
];
const TONES = ['warning', 'problem', 'success', 'info'];

const TEXTS = [
  ...SURFACES.flatMap((surface) =>
    ['ink', 'soft', 'accent', 'accent-deep', 'problem-ink'].map((text) => [text, surface]),
  ),
  ...TONES.flatMap((tone) => [`${tone}-ink`, 'ink', 'soft'].map((text) => [text, `${tone}-ground`])),
  ...TONES.map((tone) => [`${tone}-ink`, 'sheet']),
  ...MUTED,
  ['on-accent', 'accent'],
  ['on-accent', 'accent-deep'],
  ['on-problem', 'problem-ink'],
  ['on-problem', 'problem-deep'],
  ...[0, 1, 2, 3, 4, 5].map((shade) => ['on-shade', `shade-${shade}`]),
];

const EDGES = [
  ...SURFACES.flatMap((surface) => ['edge', 'accent', 'problem-ink'].map((edge) => [edge, surface])),
  ...['upload', 'download', 'storage'].flatMap((meter) =>
    ['sheet', 'sunk'].map((surface) => [`meter-${meter}`, surface]),
  ),
];

describe.each(['light', 'dark'] as const)('The %s theme', (theme) => {
  const of = (first = '', second = ''): number =>
    contrast(tokens.get(first)?.[theme] ?? '', tokens.get(second)?.[theme] ?? '');

  it.each(TEXTS)('shows text in --%s on --%s with 4.5:1 or more', (text, surface) =>
    expect(of(text, surface)).toBeGreaterThanOrEqual(4.5),
  );

  it.each(EDGES)('shows edges in --%s on --%s with 3:1 or more', (edge, surface) =>
    expect(of(edge, surface)).toBeGreaterThanOrEqual(3),
  );
});

// red when: a style sheet uses a variable that was renamed
it('Every variable of the style sheets without another value is defined', () => {
  const source = join(__dirname, '..');
  const sheets = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.css'))
    .map((file) => readFileSync(join(source, file), 'utf8'));
  const namesOf = (pattern: RegExp): string[] => sheets.flatMap((sheet) => sheet.match(pattern) ?? []);
  const defined = new Set(namesOf(/--[\w-]+(?=:)/g));
  expect(namesOf(/(?<=var\()--[\w-]+(?=\))/g).filter((name) => !defined.has(name))).toEqual([]);
});
