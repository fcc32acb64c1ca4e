import { higherRole, impliedProjectRole, includesRole, PROJECT_ROLES, type ProjectRole } from './roles';

describe('roles (contract §2)', () => {
  it('form a ladder: each includes itself and those before it', () => {
    for (const [rung, held] of PROJECT_ROLES.entries()) {
      expect(PROJECT_ROLES.filter((wanted) => includesRole(held, wanted))).toEqual(PROJECT_ROLES.slice(0, rung + 1));
    }
  });

  it('give the higher of two, and nothing is below the ladder', () => {
    const rungs: readonly (ProjectRole | null)[] = [null, ...PROJECT_ROLES];
    for (const [low, a] of rungs.entries()) {
      for (const [high, b] of rungs.entries()) expect(higherRole(a, b)).toBe(rungs[Math.max(low, high)]);
    }
  });

  it('of the organization imply roles in every project', () => {
    expect(impliedProjectRole([])).toBeNull();
    expect(impliedProjectRole(['MEMBER', 'AUDITOR', 'BILLING'])).toBeNull();
    expect(impliedProjectRole(['MEMBER', 'READ'])).toBe('VIEW_PROJECT');
    expect(impliedProjectRole(['READ', 'MANAGER'])).toBe('MANAGE_PROJECT');
    expect(impliedProjectRole(['ADMIN'])).toBe('MANAGE_PROJECT');
  });
});
