import { draftOf, firstRule, isSame, parseDraft, ruleOf, rulesOf } from './draft';

const RULE = { id: 0, keepLast: '20', keepDays: '', per: 'branch', branches: null } as const;

describe('ruleOf', () => {
  it('leaves out a condition whose number is empty', () =>
    expect(ruleOf(RULE)).toEqual({ keep_last: 20, keep_days: null, per: 'branch', branches: [] }));

  it('separates patterns by commas, spaces and lines', () =>
    expect(ruleOf({ ...RULE, branches: ' feature/*, pr-*\nfix/** ,pr-*' })?.branches).toEqual([
      'feature/*',
      'pr-*',
      'fix/**',
    ]));

  it.each([
    ['keeps nothing', { keepLast: '', keepDays: ' ' }],
    ['keeps zero builds', { keepLast: '0' }],
    ['has a part of a build', { keepLast: '1.5' }],
    ['has too many days', { keepDays: '3651' }],
    ['is about no branch', { branches: ' , ' }],
  ])('is null for a rule that %s', (_, change) => expect(ruleOf({ ...RULE, ...change })).toBeNull());
});

describe('rulesOf', () => {
  it('is null while one of the rules is incomplete, and without a rule', () => {
    expect(rulesOf({ enabled: true, rules: [RULE, { ...RULE, keepLast: '' }] })).toBeNull();
    expect(rulesOf({ enabled: true, rules: [] })).toBeNull();
    expect(rulesOf({ enabled: true, rules: [RULE] })).toHaveLength(1);
  });
});

describe('draftOf', () => {
  const stored = {
    enabled: true,
    updated_at: null,
    rules: [{ keep_last: 20, keep_days: null, per: 'branch' as const, branches: [] }],
  };

  it('is the same as what was typed', () => {
    const draft = draftOf(stored);
    expect(isSame(draft, { enabled: true, rules: [{ ...RULE, id: 7 }] })).toBe(true);
    expect(isSame(draft, { enabled: true, rules: [{ ...RULE, keepLast: '21' }] })).toBe(false);
    expect(isSame(draft, { enabled: true, rules: [RULE, firstRule([RULE])] })).toBe(false);
  });

  it('survives as text', () => expect(parseDraft(JSON.stringify(draftOf(stored)))).toEqual(draftOf(stored)));

  it('is null for a text that is not a draft', () => expect(parseDraft('{')).toBeNull());
});
