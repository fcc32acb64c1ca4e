import { xmlText } from './xml-text';

/** The Char production of XML 1.0, without U+FFFD, which stands for a character that was lost. */
const isKept = (code: number): boolean =>
  [0x9, 0xa, 0xd].includes(code) ||
  (code >= 0x20 && code < 0xd800) ||
  (code >= 0xe000 && code < 0xfffd) ||
  code > 0xffff;

describe('xmlText', () => {
  // red when: a character of the production is removed, or another one stays
  it('keeps exactly the characters of XML 1.0 but U+FFFD', () => {
    const wrong = Array.from({ length: 0x11_0000 }, (_, code) => code).filter(
      (code) => (xmlText(String.fromCodePoint(code)) !== '') !== isKept(code),
    );
    expect(wrong).toEqual([]);
  });
});
