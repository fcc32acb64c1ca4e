import { Injectable } from '@nestjs/common';
import { type AccessFacts, type MemberRoles, type Parents } from '#kernel/access/policy';
import { impliedProjectRole, type OrganizationRole, type ProjectRole } from '#kernel/access/roles';
import { type DeveloperOwned } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { CredentialViews, type PersonalTokenView, type SessionView } from '#modules/access';

/** The columns of `ROLE_JOINS`. */
type RolesRow = Pick<AccessFacts, 'organizationRoles' | 'projectRole' | 'projectExists'>;

const ROLES = `m.roles AS "organizationRoles", pm.role AS "projectRole", p.id IS NOT NULL AS "projectExists"`;

/**
 * Joins to a developer `d` their roles in the organization $1 and in its project $2. Both may be null. The developer's row stays when
 * they have no role.
 */
const ROLE_JOINS = `LEFT JOIN membership m ON m.organization_id = $1 AND m.developer_id = d.id
  LEFT JOIN project p ON p.organization_id = m.organization_id AND p.id = $2
  LEFT JOIN project_membership pm ON pm.organization_id = p.organization_id AND pm.project_id = p.id AND pm.developer_id = d.id`;

const OWNER = `d.id AS "developerId", d.email, d.email_verified_at IS NOT NULL AS "emailVerified"`;

@Injectable()
export class CredentialViewsRepository extends CredentialViews {
  constructor(private readonly transactions: Transactions) {
    super();
  }

  async ofSession(
    ctx: RequestContext,
    { developerId, sessionId }: { readonly developerId: string; readonly sessionId: string | null },
    parents: Parents,
  ): Promise<SessionView | null> {
    const found = await one<Omit<SessionView, 'accessFacts'> & RolesRow>(
      this.transactions.manager(ctx),
      `SELECT ${OWNER}, d.min_issued_at AS "minIssuedAt", app_now() AS now, f.id IS NOT NULL AS "hasSession", ${ROLES}
       FROM developer d ${ROLE_JOINS}
       LEFT JOIN refresh_family f ON f.id = $4 AND f.developer_id = d.id AND f.revoked_at IS NULL
       WHERE d.id = $3 AND d.suspended_at IS NULL`,
      [parents.organizationId, parents.projectId, developerId, sessionId],
    );
    return found && { ...found, accessFacts: factsFrom(parents, found) };
  }

  async ofPersonalToken(ctx: RequestContext, digest: Buffer, parents: Parents): Promise<PersonalTokenView | null> {
    const found = await one<Omit<PersonalTokenView, 'accessFacts'> & RolesRow>(
      this.transactions.manager(ctx),
      `SELECT t.id, t.organization_id AS "organizationId", t.scopes, t.expires_at AS "expiresAt", t.last_used_at AS "lastUsedAt",
              ${OWNER}, ${ROLES}
       FROM personal_access_token t
       JOIN developer d ON d.id = t.developer_id AND d.suspended_at IS NULL
       ${ROLE_JOINS}
       WHERE t.digest = $3 AND t.revoked_at IS NULL`,
      [parents.organizationId, parents.projectId, digest],
    );
    return found && { ...found, accessFacts: factsFrom(parents, found) };
  }

  async factsOf(ctx: RequestContext, parents: Parents, developerId: string): Promise<AccessFacts> {
    const found = await one<RolesRow>(
      this.transactions.manager(ctx),
      `SELECT ${ROLES} FROM developer d ${ROLE_JOINS} WHERE d.id = $3`,
      [parents.organizationId, parents.projectId, developerId],
    );
    return factsFrom(parents, found);
  }

  async rolesOf(ctx: RequestContext, organizationId: string, developerId: string): Promise<MemberRoles> {
    const found = await one<{
      readonly organization: readonly OrganizationRole[];
      readonly own: Readonly<Record<string, ProjectRole>> | null;
    }>(
      this.transactions.manager(ctx),
      `SELECT m.roles AS organization, (
         SELECT jsonb_object_agg(project_id, role) FROM project_membership WHERE organization_id = $1 AND developer_id = $2
       ) AS own FROM membership m WHERE m.organization_id = $1 AND m.developer_id = $2`,
      [organizationId, developerId],
    );
    const { organization, own } = found ?? { organization: [], own: null };
    return { organization, implied: impliedProjectRole(organization), own: new Map(Object.entries(own ?? {})) };
  }

  async statesOf(ctx: RequestContext, callers: readonly DeveloperOwned[]): Promise<readonly string[]> {
    const states = await rows<{ state: string }>(
      this.transactions.manager(ctx),
      `SELECT ROW(d.id, d.min_issued_at, d.suspended_at, f.id, f.revoked_at, t.id, t.revoked_at, t.digest)::text AS state
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) WITH ORDINALITY AS c (developer_id, session_id, token_id, n)
       LEFT JOIN developer d ON d.id = c.developer_id
       LEFT JOIN refresh_family f ON f.id = c.session_id
       LEFT JOIN personal_access_token t ON t.id = c.token_id
       ORDER BY c.n`,
      [
        callers.map(({ developerId }) => developerId),
        callers.map((caller) => (caller.kind === 'jwt' ? (caller.sessionId ?? null) : null)),
        callers.map((caller) => (caller.kind === 'pat' ? caller.tokenId : null)),
      ],
    );
    return states.map(({ state }) => state);
  }
}

/** @param row null when the developer was not found. */
const factsFrom = ({ organizationId, projectId }: Parents, row: RolesRow | null): AccessFacts => ({
  organizationId,
  projectId,
  organizationRoles: row?.organizationRoles ?? null,
  projectRole: row?.projectRole ?? null,
  projectExists: row?.projectExists ?? false,
});
