import { AppError } from '#kernel/errors/app-error';
import { rejectOversizedBody } from './body-bounds';

const object = (properties: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: properties }, (_, index) => [`k${index}`, index]));
const array = (items: number, item: unknown = 0): unknown[] => Array.from({ length: items }, () => item);
const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });

function problemOf(body: unknown): unknown {
  try {
    rejectOversizedBody(body);
  } catch (error) {
    return error instanceof AppError && error.errorCase === 'validation_error' ? error.details['fields'] : error;
  }
  return null;
}

describe('rejectOversizedBody', () => {
  it.each([
    ['100 properties', object(100)],
    ['2,000 items', { list: array(2_000) }],
    ['20,000 values', [...array(9, array(1_999)), array(1_998)]],
    ['17 levels', nested(17)],
    ['a name of 100 characters', { ['x'.repeat(100)]: 1 }],
    ['a text', 'x'.repeat(1_000_000)],
    ['nothing', undefined],
  ])('accepts a body with %s', (_what, body) => {
    expect(problemOf(body)).toBeNull();
  });

  it.each([
    ['101 properties', object(101), '', 'must have 100 properties or fewer'],
    ['101 properties of an item', { list: [{}, object(101)] }, 'list.1', 'must have 100 properties or fewer'],
    ['2,001 items', { list: array(2_001) }, 'list', 'must have 2000 items or fewer'],
    ['20,001 values', array(10, array(1_999)), '', 'must have 20000 values or fewer in all'],
    ['18 levels', nested(18), Array.from({ length: 17 }, () => 'a').join('.'), 'is nested too deeply'],
    [
      'a name of 101 characters',
      { a: { ['x'.repeat(101)]: 1 } },
      'a',
      'must have property names of 100 characters or fewer',
    ],
  ])('rejects a body with %s', (_what, body, field, message) => {
    expect(problemOf(body)).toEqual([{ field, messages: [message] }]);
  });

  it('rejects an array that is longer than the route accepts', () => {
    expect(() => rejectOversizedBody({ list: array(10) }, 10)).not.toThrow();
    expect(() => rejectOversizedBody({ list: array(11) }, 10)).toThrow(AppError);
  });

  it('stops at the first excess', () => {
    const reads = jest.fn(() => 1);
    const later = Object.defineProperty({}, 'read', { enumerable: true, get: reads });
    expect(problemOf({ first: object(101), later })).toHaveLength(1);
    expect(reads).not.toHaveBeenCalled();
  });
});
