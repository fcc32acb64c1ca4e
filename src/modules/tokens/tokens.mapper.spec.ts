import {
  toNewPersonalAccessTokenResponse,
  toNewProjectAccessTokenResponse,
  toPersonalAccessTokenResponse,
  toProjectAccessTokenResponse,
} from './tokens.mapper';

const AT = '2026-01-01T00:00:00.123Z';
const common = { id: 'token', organizationId: 'organization', name: 'CI', last4: 'x7Qa', createdAt: new Date(AT) };
const shown = { id: 'token', organization_id: 'organization', name: 'CI', last4: 'x7Qa', created_at: AT };

/** Columns that the response must not contain. */
const secrets = { digest: Buffer.from('digest'), previousDigest: null, revokedAt: null };

describe('the response of a token', () => {
  it('of a project has every public field, and the value only when the token is new', () => {
    const token = { ...common, ...secrets, projectId: 'project', role: 'UPLOAD_BUILD' as const };
    const creator = { createdBy: 'ann', createdByLabel: 'Ann', creatorLeft: true };
    const created = { created_by: 'ann', created_by_label: 'Ann', creator_left: true };
    const wire = { ...shown, project_id: 'project', role: 'UPLOAD_BUILD', ...created };
    const never = { ...token, ...creator, expiresAt: null, lastUsedAt: null };
    expect(toProjectAccessTokenResponse(never)).toEqual({ ...wire, expires_at: null, last_used_at: null });
    const times = { expiresAt: new Date(AT), lastUsedAt: new Date(AT) };
    expect(toNewProjectAccessTokenResponse({ ...token, ...creator, ...times, token: 'ag_prj_x' })).toEqual({
      ...wire,
      expires_at: AT,
      last_used_at: AT,
      token: 'ag_prj_x',
    });
  });

  it('of a developer has every public field, and the value only when the token is new', () => {
    const token = { ...common, ...secrets, developerId: 'ann', scopes: ['builds:read'] as const };
    const wire = { ...shown, developer_id: 'ann', scopes: ['builds:read'] };
    const never = { ...token, expiresAt: null, lastUsedAt: null };
    expect(toPersonalAccessTokenResponse(never)).toEqual({ ...wire, expires_at: null, last_used_at: null });
    const times = { expiresAt: new Date(AT), lastUsedAt: new Date(AT) };
    expect(toNewPersonalAccessTokenResponse({ ...token, ...times, token: 'ag_pat_x' })).toEqual({
      ...wire,
      expires_at: AT,
      last_used_at: AT,
      token: 'ag_pat_x',
    });
  });
});
