import { rulesOf } from './retention';

describe('The rule of the options of agate retention', () => {
  it('is missing without options, so that the rules of the project count', () => {
    expect(rulesOf({})).toBeUndefined();
  });

  it('has the fields of the options', () => {
    expect(rulesOf({ keepLast: 20, keepDays: 30, per: 'branch', branches: ['feature/*'] })).toEqual([
      { keep_last: 20, keep_days: 30, per: 'branch', branches: ['feature/*'] },
    ]);
  });

  it('must keep something', () => {
    expect(() => rulesOf({ per: 'branch' })).toThrow('The rule keeps nothing. Add --keep-last or --keep-days.');
  });

  // red when: an unset variable in --branches "$PATTERN" makes a rule about all builds
  it('names a branch if it has the option', () => {
    expect(() => rulesOf({ keepLast: 1, branches: [] })).toThrow('--branches names no branch.');
  });
});
