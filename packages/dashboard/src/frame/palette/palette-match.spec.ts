import { matching } from './palette-match';

const ITEMS = [
  { id: '1', label: 'Upload build', onSelect: jest.fn() },
  { id: '2', label: 'Builds', detail: 'Rocket', onSelect: jest.fn() },
  { id: '3', label: 'Kanäle', onSelect: jest.fn() },
];
const found = (query: string): string[] => matching(ITEMS, query).map(({ id }) => id);

describe('the palette', () => {
  it('finds the beginnings of words, in any order and case', () => {
    expect(found('BUI')).toEqual(['1', '2']);
    expect(found('build up')).toEqual(['1']);
    expect(found('rock')).toEqual(['2']);
    expect(found('kanä')).toEqual(['3']);
    expect(found('uild')).toEqual([]);
  });

  it('shows everything without a query', () => expect(found(' ')).toEqual(['1', '2', '3']));
});
