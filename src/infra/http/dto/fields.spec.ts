import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { EnumSetField, IntegerSetField, TextField, TimeField } from './fields';

class Request {
  @EnumSetField(['a', 'b', 'c'])
  letters: string[];

  @IntegerSetField({ min: 1, max: 1_000_000, maxItems: 200_000 })
  numbers: number[];
}

class Texts {
  @TextField({ max: 100 })
  name: string;

  @TextField({ max: 100, lines: true })
  notes: string;
}

/** The violated constraints, by field. */
const violations = (request: object, type: new () => object = Request): Record<string, string[]> =>
  Object.fromEntries(
    validateSync(plainToInstance(type, request)).map(({ property, constraints = {} }) => [
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

describe('A text field', () => {
  const problems = (name: string, notes: string) => violations({ name, notes }, Texts);

  it('accepts line breaks and tabs in a text of several lines, and at the ends of a line, which are trimmed', () => {
    expect(problems('Grüße 👋\r\n', '- one\n\t- two\r\n- مرحبا\u200f')).toEqual({});
  });

  // red when: `TextField` has no `HasNoControls`.
  it.each(['\u0007', '\u001b[2J', '\u007f', '\u009b2J', '\u0085'])('rejects %j in every text', (control) => {
    const text = `a${control}b`;
    expect(problems(text, text)).toEqual({ name: ['hasNoControls'], notes: ['hasNoControls'] });
  });

  it.each(['\n', '\r\n', '\t'])('rejects %j in a line', (control) => {
    const text = `a${control}b`;
    expect(problems(text, text)).toEqual({ name: ['hasNoControls'] });
  });

  it('rejects a carriage return that ends no line', () => {
    expect(problems('a', 'safe\rhidden')).toEqual({ notes: ['hasNoControls'] });
  });
});

describe('A field of a time', () => {
  class Times {
    @TimeField()
    at: string;
  }
  const problems = (at: unknown) => violations({ at }, Times);

  it.each(['2026-11-20T18:03:00Z', '2026-11-20T18:03+05:30', '9999-12-31T23:59:59.999Z'])('accepts %s', (at) => {
    expect(problems(at)).toEqual({});
  });

  // red when: `TimeField` has no `HasYearOfFourDigits`: responses then contain the year +010000.
  it('rejects a time of the year 10000 in UTC', () => {
    expect(problems('9999-12-31T23:59:59-00:01')).toEqual({ at: ['hasYearOfFourDigits'] });
  });

  it.each([null, 5, '', '2026-11-20', '2026-11-20T25:00:00Z'])('rejects %j as no time', (at) => {
    expect(problems(at)['at']).not.toContain('hasYearOfFourDigits');
    expect(problems(at)['at']?.length).toBeGreaterThan(0);
  });
});
