import fc from 'fast-check';
import { cpuMsOf } from '../../../test/support/load/cpu-time';
import { type MarkedBlock, markedBlocks } from './marked-text';

const shownText = (blocks: readonly MarkedBlock[]): string =>
  blocks.flatMap(({ lines }) => lines.map((line) => line.map(({ text }) => text).join(''))).join('\n');

describe('markedBlocks', () => {
  it('reads paragraphs, line breaks, lists and headings', () => {
    expect(markedBlocks('# What is new\nTide tables\r\nwork offline.\n\n\n- One\n* Two\n• Three\nLast')).toEqual([
      {
        kind: 'paragraph',
        lines: [[{ text: 'What is new', isBold: true }], [{ text: 'Tide tables' }], [{ text: 'work offline.' }]],
      },
      { kind: 'list', lines: [[{ text: 'One' }], [{ text: 'Two' }], [{ text: 'Three' }]] },
      { kind: 'paragraph', lines: [[{ text: 'Last' }]] },
    ]);
  });

  it.each([
    ['a **b** c', [{ text: 'a ' }, { text: 'b', isBold: true }, { text: ' c' }]],
    [
      'see https://x.example/a?b=1.',
      [{ text: 'see ' }, { text: 'https://x.example/a?b=1', href: 'https://x.example/a?b=1' }, { text: '.' }],
    ],
    [
      '[Issue 7](https://x.example/7)!',
      [{ text: 'Issue 7', href: 'https://x.example/7' }, { text: ' (x.example)' }, { text: '!' }],
    ],
    ['**https://x.example**', [{ text: 'https://x.example', href: 'https://x.example', isBold: true }]],
    [
      'an *a b* and _c_, not a_b_c',
      [
        { text: 'an ' },
        { text: 'a b', isItalic: true },
        { text: ' and ' },
        { text: 'c', isItalic: true },
        { text: ', not a_b_c' },
      ],
    ],
    ['`**a** <b>` b', [{ text: '**a** <b>', isCode: true }, { text: ' b' }]],
    ['**a *b* c**', [{ text: '**a ' }, { text: 'b', isItalic: true }, { text: ' c**' }]],
    ['2 * 3 ** 4', [{ text: '2 * 3 ** 4' }]],
    ['2*3*4, src/*.ts and lib/*.ts', [{ text: '2*3*4, src/*.ts and lib/*.ts' }]],
    [
      '(*a*) and "*b*".',
      [
        { text: '(' },
        { text: 'a', isItalic: true },
        { text: ') and "' },
        { text: 'b', isItalic: true },
        { text: '".' },
      ],
    ],
    ['https://', [{ text: 'https://' }]],
  ])('reads the marks of %j', (text, line) => {
    expect(markedBlocks(text)).toEqual([{ kind: 'paragraph', lines: [line] }]);
  });

  // red when: an address of another scheme becomes a link, or a link hides its host
  it.each([
    'javascript:alert(1)',
    '[x](javascript:alert(1))',
    '[x](data:text/html,1)',
    '[x](//evil.example)',
    'ftp://x.example',
  ])('makes no link of %j', (text) => {
    expect(markedBlocks(text)).toEqual([{ kind: 'paragraph', lines: [[{ text }]] }]);
  });

  it('names the host of a link whose text is an address', () => {
    expect(shownText(markedBlocks('[https://bank.example](https://evil.example/x)'))).toBe(
      'https://bank.example (evil.example)',
    );
  });

  // red when: an address is shown without the host to which it leads
  it.each([
    ['https://bank.example@evil.example/', 'evil.example'],
    ['https://evil.example.bank.example@evil.example', 'evil.example'],
    ['https://@evil.example', 'evil.example'],
    ['https://b\u0430nk.example', 'xn--bnk-6cd.example'],
  ])('names the host of %j, which hides it', (address, host) => {
    expect(shownText(markedBlocks(address))).toBe(`${address} (${host})`);
  });

  it.each(['https://Bank.example/a', 'https://bank.example:443', 'http://bank.example:80/@a'])(
    'does not repeat the host of %j',
    (address) => {
      expect(shownText(markedBlocks(address))).toBe(address);
    },
  );

  // red when: the end of an address is searched from each punctuation mark
  it('reads long addresses of punctuation in linear time', async () => {
    expect(await cpuMsOf(() => markedBlocks(`https://a${')'.repeat(1_990)}x `.repeat(200)))).toBeLessThan(1000);
  });

  // red when: the text of a link, or what is before it, can change the direction in which the host is shown
  it.each(['\u202e', '\u202b', '\u2067'])(
    'removes the embedding %j, which could show a host backwards',
    (embedding) => {
      expect(shownText(markedBlocks(`${embedding}[Issue${embedding}](https://evil.example) \u200f`))).toBe(
        'Issue (evil.example) \u200f',
      );
    },
  );

  it('keeps all that it does not know as it was typed', () => {
    const text = '| a | b |\n<b>x</b> 2*3 * 4 snake_case_name `open **open';
    expect(shownText(markedBlocks(text))).toBe(text);
  });

  // red when: a repetition in the pattern can match the same text in two ways
  it.each(['*', '**', '_', '`', '[', '[a](https://a', '*a ', '_a ', '**a* ', '- ', '> ', '  - ', '<script>'])(
    'reads 10,000 times %j in linear time',
    async (piece) => {
      const text = piece.repeat(10_000);
      const reads = (): unknown => [markedBlocks(text), markedBlocks(text.replaceAll(' ', '\n'))];
      expect(await cpuMsOf(reads)).toBeLessThan(3000);
    },
  );

  it('keeps every word, and links only to http and https', () => {
    const pieces = fc.constantFrom(
      '**',
      '[',
      ']',
      '(',
      'https://a.example',
      ' ',
      '\n',
      '\n\n',
      '- ',
      '# ',
      'word',
      '<',
      '*',
      '_',
      '`',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const blocks = markedBlocks(parts.join(''));
        const words = (text: string): number => text.split('word').length;
        expect(words(shownText(blocks))).toBe(words(parts.join('')));
        for (const { href } of blocks.flatMap(({ lines }) => lines.flat())) {
          if (href !== undefined) expect(href).toMatch(/^https?:\/\//);
        }
      }),
    );
  });
});
