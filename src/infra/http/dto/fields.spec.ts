import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { EnumSetField, IntegerSetField } from './fields';

class Request {
  @EnumSetField(['a', 'b', 'c'])
  letters: string[];

  @IntegerSetField({ min: 1, max: 1_000_000, maxItems: 200_000 })
  numbers: number[];
}

/** The violated constraints, by field. */
const violations = (request: object): Record<string, string[]> =>
  Object.fromEntries(
    validateSync(plainToInstance(Request, request)).map(({ property, constraints = {} }) => [
      property,
      Object.keys(constraints).sort(),
    ]),
  );

describe('A field of distinct items', () => {
  it('accepts distinct items and rejects repeated ones', () => {
    expect(violations({ letters: ['a', 'b', 'c'], numbers: [1, 2] })).toEqual({});
    expect(violations({ letters: ['a', 'a'], numbers: [1, 2, 1] })).toEqual({
      letters: ['arrayUnique'],
      numbers: ['arrayUnique'],
    });
  });

  it('does not compare the items of an array that is too long', () => {
    expect(violations({ letters: ['a', 'a', 'a', 'a'], numbers: [1] })).toEqual({ letters: ['arrayMaxSize'] });
  });

  it('rejects a value that is not an array', () => {
    expect(violations({ letters: 'a', numbers: [1] })['letters']).toEqual(
      expect.arrayContaining(['arrayUnique', 'isArray']),
    );
  });

  // red when: the comparison is quadratic, which takes a minute
  it('compares 200,000 items in a pass over them', () => {
    const numbers = Array.from({ length: 200_000 }, (_, index) => index + 1);
    const start = performance.now();
    expect(violations({ letters: ['a'], numbers })).toEqual({});
    expect(performance.now() - start).toBeLessThan(30_000);
  });
});
