import { byPage } from './help-results';

const result = (page: string, title: string, excerpt: string, terms: readonly string[] = []) => ({
  address: `/help/${page}#${title}`,
  title,
  page,
  excerpt,
  terms,
});

describe('byPage', () => {
  // red when: results of one page stand apart
  it('puts the results of a page below its title, the page of the best result first', () => {
    const pages = byPage([result('Mail', 'a', ''), result('Tokens', 'b', ''), result('Mail', 'c', '')]);
    expect(pages.map(({ page, results }) => [page, results.map(({ address }) => address)])).toEqual([
      ['Mail', ['/help/Mail#a', '/help/Mail#c']],
      ['Tokens', ['/help/Tokens#b']],
    ]);
  });

  // red when: a word is marked inside of another word, or only in its lower case
  it('marks the words that matched', () => {
    const [page] = byPage([result('Mail', 'MAIL_URL', 'mailed by mail', ['mail'])]);
    const marksOf = (pieces: readonly { readonly text: string; readonly isMarked: boolean }[] = []): string =>
      pieces.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join('');
    expect(marksOf(page?.results[0]?.title)).toBe('[MAIL]_URL');
    expect(marksOf(page?.results[0]?.excerpt)).toBe('mailed by [mail]');
  });
});
