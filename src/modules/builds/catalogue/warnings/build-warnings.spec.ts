import { type Platform } from '#kernel/builds/platform';
import { comparisonWarnings } from './build-warnings';

type Candidate = Parameters<typeof comparisonWarnings>[0];
type Case = readonly [platform: Platform, facts: Facts, lastFacts: Facts, isWarned: boolean];
type Facts = readonly [version: string, buildNumber: string | null];

const build = (platform: Platform, [version, buildNumber]: Facts) => ({
  id: '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10',
  platform,
  version,
  buildNumber,
  artifact: { kind: 'other' } as Candidate['artifact'],
});

// red when: Android is compared by the version first, which its devices do not read
describe('comparisonWarnings', () => {
  it.each<Case>([
    ['android', ['2.0', '5'], ['1.0', '10'], true],
    ['android', ['1.0', '11'], ['2.0', '10'], false],
    ['android', ['2.0', '10'], ['1.0', '10'], false],
    ['android', ['1.0', '10'], ['1.0', '10'], true],
    ['android', ['2.0', null], ['1.0', null], false],
    ['ios', ['2.0', '5'], ['1.0', '10'], false],
    ['ios', ['1.0', '11'], ['2.0', '10'], true],
    ['ios', ['1.0', '11'], ['1.0', '10'], false],
  ])('for %s %j after %j warns that the version is not higher: %s', (platform, facts, lastFacts, isWarned) => {
    const last = build(platform, lastFacts);
    const warnings = comparisonWarnings(build(platform, facts), { last, sameBytes: null });
    expect(warnings.map(({ code }) => code)).toEqual(isWarned ? ['version_not_higher'] : []);
  });
});
