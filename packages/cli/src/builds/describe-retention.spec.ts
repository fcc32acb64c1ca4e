import { describeRetention } from './describe-retention';

const retention = { enabled: true, updated_at: null };

describe('The text of a retention', () => {
  it('says that a project without rules keeps its builds, also when the rules are on', () => {
    for (const enabled of [true, false])
      expect(describeRetention({ enabled, rules: [], updated_at: null })).toBe(
        'The project has no rules. No build is deleted.',
      );
  });

  it('has a sentence for each rule', () => {
    const rules = [
      { keep_last: 20, keep_days: 30, per: 'branch', branches: ['feature/*', 'pr-*'] },
      { keep_last: 5, keep_days: null, per: 'project', branches: [] },
      { keep_last: null, keep_days: 1, per: 'project', branches: [] },
    ] as const;
    expect(describeRetention({ ...retention, rules }).split('\n')).toEqual([
      'On: builds that a rule is about, and none keeps, are deleted.',
      'Of feature/*, pr-*, keep the newest 20 of each branch and those of the last 30 days.',
      'Of all builds, keep the newest 5.',
      'Of all builds, keep those of the last day.',
    ]);
    expect(describeRetention({ ...retention, enabled: false, rules })).toMatch(
      /^Off: no build is deleted\.\nOf feature/,
    );
  });
});
