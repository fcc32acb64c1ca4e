import { bounded, fits, MAX_RESULT_BYTES } from './bounded';

const resultOf = (answer: unknown): object => ({
  content: [{ type: 'text', text: JSON.stringify(answer) }],
  structuredContent: answer,
});

describe('bounded', () => {
  it('keeps an answer that is short enough', () => {
    const answer = { items: [{ notes: 'x'.repeat(1_000) }] };
    expect(bounded(answer)).toBe(answer);
  });

  // red when: the quotes that are escaped in the text are not counted
  it.each([
    ['long texts', { notes: 'Ä'.repeat(30_000) }],
    ['many items', { items: Array.from({ length: 400 }, (_, id) => ({ id, name: 'x'.repeat(90) })) }],
    ['many quotes', { notes: '"'.repeat(11_000) }],
    ['many fields', Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`field_${n}`, n]))],
  ])('cuts an answer with %s, so that its result has at most 25 kB', (_, answer) => {
    const cut = bounded(answer);
    expect(cut).toMatchObject({ truncated: true });
    expect(fits(cut)).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(resultOf(cut)))).toBeLessThanOrEqual(MAX_RESULT_BYTES);
  });
});
