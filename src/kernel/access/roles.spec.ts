import {
  higherRole,
  impliedProjectRole,
  includesRole,
  PROJECT_ROLES,
  type ProjectRole,
  ROLES_IN_EVERY_PROJECT,
} from './roles';

describe('project roles', () => {
  it('include themselves and the lower roles', () => {
    for (const [rank, held] of PROJECT_ROLES.entries()) {
      const included = PROJECT_ROLES.filter((required) => includesRole(held, required));
      expect(included).toEqual(PROJECT_ROLES.slice(0, rank + 1));
    }
  });

  it('have an order that starts below all roles, with null', () => {
    const ranks: readonly (ProjectRole | null)[] = [null, ...PROJECT_ROLES];
    for (const [low, a] of ranks.entries()) {
      for (const [high, b] of ranks.entries()) expect(higherRole(a, b)).toBe(ranks[Math.max(low, high)]);
    }
  });

  it('are implied by organization roles: VIEW_PROJECT by READ, MANAGE_PROJECT by MANAGER and ADMIN', () => {
    expect(impliedProjectRole([])).toBeNull();
    expect(impliedProjectRole(['MEMBER', 'AUDITOR', 'BILLING'])).toBeNull();
    expect(impliedProjectRole(['MEMBER', 'READ'])).toBe('VIEW_PROJECT');
    expect(impliedProjectRole(['READ', 'MANAGER'])).toBe('MANAGE_PROJECT');
    expect(impliedProjectRole(['ADMIN'])).toBe('MANAGE_PROJECT');
    expect(ROLES_IN_EVERY_PROJECT).toEqual(['READ', 'MANAGER', 'ADMIN']);
  });
});
