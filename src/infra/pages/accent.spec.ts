import { MAIL_COLORS } from '#infra/mail/mail-colors';
import { accentStyles, accentTheme, contrastOf, contrastOfAccent, isAccent, MIN_CONTRAST } from './accent';

const hex = (number: number): string => `#${number.toString(16).padStart(6, '0')}`;
/** Every seventeenth value of each channel, so that each shade of grey and each pure colour is among them. */
const COLORS = Array.from({ length: 16 ** 3 }, (_, index) =>
  hex((index >> 8) * 0x110000 + ((index >> 4) & 15) * 0x1100 + (index & 15) * 0x11),
);
const accepted = COLORS.filter((color) => contrastOfAccent(color) >= MIN_CONTRAST);

describe('an accent', () => {
  it('has the contrast that WCAG defines', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrastOf('#ffffff', '#ffffff')).toBe(1);
    expect(contrastOf('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
  });

  it.each([
    ['#0b5f68', true],
    ['#0057b8', true],
    ['#b3261e', true],
    ['#000000', true],
    ['#ffcc00', false],
    ['#ffffff', false],
    ['#8a8a8a', false],
  ])('%s is accepted: %s', (color, isAccepted) => {
    expect(contrastOfAccent(color) >= MIN_CONTRAST).toBe(isAccepted);
  });

  // red when: the dark theme uses the accent as it is, or stops lightening too early
  it('has shades with sufficient contrast on everything that they are used on, in both themes', () => {
    expect(accepted.length).toBeGreaterThan(500);
    const lowestOf = (color: string, theme: 'light' | 'dark'): number => {
      const { accent, deep, onAccent } = accentTheme(color)[theme];
      const grounds = [MAIL_COLORS[theme].sheet, MAIL_COLORS[theme].sunk, onAccent];
      return Math.min(...grounds.flatMap((ground) => [contrastOf(accent, ground), contrastOf(deep, ground)]));
    };
    for (const color of accepted) {
      expect(lowestOf(color, 'light')).toBeGreaterThanOrEqual(MIN_CONTRAST);
      expect(lowestOf(color, 'dark')).toBeGreaterThanOrEqual(MIN_CONTRAST);
    }
  });

  it('keeps its own colour in the light theme', () => {
    for (const color of accepted) expect(accentTheme(color).light.accent).toBe(color);
  });

  it('becomes a style sheet that sets three variables for each theme', () => {
    expect(accentStyles('#0057b8')).toBe(
      'main{--accent:#0057b8;--accent-deep:#004490;--on-accent:#ffffff}' +
        '@media (prefers-color-scheme:dark){main{--accent:#5c93d2;--accent-deep:#80abdc;--on-accent:#131719}}\n',
    );
  });

  it.each(['#FFF', '0b5f68', '#0B5F68', '#0b5f68;', '#0b5f6g', '', 'red'])('%p is not one', (text) => {
    expect(isAccent(text)).toBe(false);
  });
});
