import { EMPTY_BUILD, planOf } from './import-plan';
import { missingPromotions, type Promotion, promotionsOf } from './promotions';

const planned = (file: string, day: number | null, ...releases: [channel: string, day: number | null][]) => ({
  ...EMPTY_BUILD,
  file,
  uploaded_at: day === null ? null : at(day),
  releases: releases.map(([channel, promoted]) => ({
    channel,
    notes: null,
    promoted_at: promoted === null ? null : at(promoted),
  })),
});
const at = (day: number): string => new Date(Date.UTC(2026, 0, day)).toISOString();

describe('Promotions of an import', () => {
  it('are made in the order in which they happened, also when an older build was promoted later', () => {
    const { builds } = planOf([planned('b', 2, ['Beta', null]), planned('a', 1, ['Beta', null], ['Beta', 3])]);
    const imported = builds.map((build) => ({ planned: build, id: `id-${build.file}` }));
    expect(promotionsOf(imported).map(({ buildId }) => buildId)).toEqual(['id-a', 'id-b', 'id-a']);
  });

  it('follow the order of the plan where there are no times', () => {
    const { builds } = planOf([planned('b', null, ['Beta', null]), planned('a', null, ['Beta', null])]);
    expect(promotionsOf(builds.map((build) => ({ planned: build, id: build.file }))).map((p) => p.buildId)).toEqual([
      'b',
      'a',
    ]);
  });

  const promotions: Promotion[] = ['a', 'b', 'a', 'c'].map((buildId) => ({ channel: 'Beta', buildId, notes: null }));

  it.each([
    [[], 'abac'],
    [['a'], 'bac'],
    [['a', 'b'], 'ac'],
    [['a', 'b', 'a'], 'c'],
    [['a', 'b', 'a', 'c'], ''],
    // Another build was promoted in between, and a promotion of the plan is missing.
    [['a', 'x', 'c'], 'ba'],
  ])('that were made already are left out: %j', (made, missing) => {
    expect(
      missingPromotions(promotions, made)
        .map(({ buildId }) => buildId)
        .join(''),
    ).toBe(missing);
  });
});
