import { Injectable } from '@nestjs/common';
import {
  type AccessDemand,
  type AccessFacts,
  effectiveProjectRole,
  type MemberRoles,
  needsOrganization,
  type Parents,
  refuseCredential,
  refuseRole,
} from '#kernel/access/policy';
import { type PatScope, type ProjectRole } from '#kernel/access/roles';
import { isDeveloper } from '#kernel/context/identity';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { OrganizationsService } from '#modules/organizations';
import { accessError } from './access-error';
import { CredentialViews } from './credential-views';

/** Looks up roles. Nothing is cached, so that the loss of a role takes effect on the next request. */
@Injectable()
export class AccessService {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly views: CredentialViews,
  ) {}

  /**
   * Checks a role and scope in addition to the rule of the route, for a request that does more than the route alone requires.
   * @throws AppError the error that a route with this rule would return.
   */
  async require(
    ctx: RequestContext,
    scope: ProjectScope,
    more: { readonly project: ProjectRole; readonly scope: PatScope },
  ): Promise<void> {
    const demand: AccessDemand = { by: ['jwt', 'pat', 'project-token'], verified: true, ...more };
    const refusal =
      refuseCredential(demand, ctx.identity, scope) ??
      refuseRole(demand, ctx.identity, await this.factsOf(ctx, demand, scope));
    if (refusal) throw accessError(refusal, demand);
  }

  /** Reads the facts that the policy needs about the caller in the parents that the request names. */
  async factsOf(ctx: RequestContext, demand: AccessDemand, parents: Parents): Promise<AccessFacts> {
    const { organizationId } = parents;
    if (!isDeveloper(ctx.identity) || !organizationId || !needsOrganization(demand))
      return { ...parents, organizationRoles: null, projectRole: null, projectExists: false };
    const projectId = demand.project === undefined ? null : parents.projectId;
    return this.views.factsOf(ctx, { organizationId, projectId }, ctx.identity.developerId);
  }

  /**
   * Returns the higher of the developer's own role in the project and the role that their organization roles imply.
   * Null when the developer has neither, or when the project does not exist.
   */
  async projectRoleOf(ctx: RequestContext, scope: ProjectScope, developerId: string): Promise<ProjectRole | null> {
    return effectiveProjectRole(await this.views.factsOf(ctx, scope, developerId));
  }

  /** The roles of the calling developer in an organization and in its projects. */
  memberRoles(ctx: RequestContext, organizationId: string): Promise<MemberRoles> {
    return this.views.rolesOf(ctx, organizationId, developerOf(ctx).developerId);
  }

  async isAdmin(ctx: RequestContext, organizationId: string, developerId: string): Promise<boolean> {
    return (await this.organizations.findRoles(ctx, organizationId, developerId))?.includes('ADMIN') ?? false;
  }
}
