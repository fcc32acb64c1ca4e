import { homeOf } from './home-of';

describe('the first screen of an organization', () => {
  it.each([
    [['ADMIN'], '/o/$org'],
    [['MEMBER', 'BILLING'], '/o/$org'],
    [['BILLING'], '/o/$org/billing'],
    [['AUDITOR', 'BILLING'], '/o/$org/billing'],
    [['AUDITOR'], '/o/$org/audit'],
  ] as const)('is, with the roles %j, %s', (roles, to) => {
    expect(homeOf({ id: 'acme', roles })).toEqual({ to, params: { org: 'acme' } });
  });
});
