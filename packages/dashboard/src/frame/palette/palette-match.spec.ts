import { matching } from './palette-match';

const ITEMS = [
  { id: '1', label: 'Upload build', onSelect: jest.fn() },
  { id: '2', label: 'Builds', detail: 'Rocket', onSelect: jest.fn() },
  { id: '3', label: 'Kanäle', keywords: 'channels', onSelect: jest.fn() },
  { id: '4', label: 'Promote…', keywords: 'freigeben release', onSelect: jest.fn() },
  { id: '5', label: 'Switch theme', keywords: 'dark dunkel', onSelect: jest.fn() },
];
const found = (query: string): string[] => matching(ITEMS, query).map(({ id }) => id);

describe('the palette', () => {
  it('finds the beginnings of words, in any order and case', () => {
    expect(found('build up')).toEqual(['1']);
    expect(found('rock')).toEqual(['2']);
    expect(found('kanä')).toEqual(['3']);
  });

  it('shows the item first whose first word is meant', () => expect(found('BUI')).toEqual(['2', '1']));

  // red when: words are compared by their beginnings only
  it('finds words with missing letters, and parts of words', () => {
    expect(found('bld')).toEqual(['1', '2']);
    expect(found('promte')).toEqual(['4']);
    expect(found('uild')).toEqual(['1', '2']);
  });

  // red when: only shown texts are compared
  it('finds other names, in every language', () => {
    expect(found('dark')).toEqual(['5']);
    expect(found('dunk')).toEqual(['5']);
    expect(found('channels')).toEqual(['3']);
    expect(found('freigeben')).toEqual(['4']);
  });

  // red when: letters may be missing in words that are not shown, or an exact name is no better than a beginning
  it('finds what is named so before what has the letters', () => {
    const items = [
      { id: 'storage', label: 'Storage', keywords: 's3 azure bucket', onSelect: jest.fn() },
      { id: 'channels', label: 'Channels', keywords: 'release beta', onSelect: jest.fn() },
      { id: 'beta-2', label: 'Betas', onSelect: jest.fn() },
      { id: 'beta', label: 'Beta', onSelect: jest.fn() },
      { id: 'store', label: 'Store', onSelect: jest.fn() },
    ];
    const ids = (query: string): string[] => matching(items, query).map(({ id }) => id);
    expect(ids('bet')).toEqual(['beta-2', 'beta', 'channels']);
    expect(ids('beta')).toEqual(['beta', 'beta-2', 'channels']);
    expect(ids('store')).toEqual(['store', 'storage']);
  });

  it('finds nothing by letters in another order, or by two letters', () => {
    expect(found('dlb')).toEqual([]);
    expect(found('bd')).toEqual([]);
    expect(found('bld dark')).toEqual([]);
  });

  it('shows everything without a query', () => expect(found(' ')).toEqual(['1', '2', '3', '4', '5']));
});
