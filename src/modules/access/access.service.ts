import { Injectable } from '@nestjs/common';
import { type AccessDemand, type AccessFacts, type Parents, refuseCredential, refuseRole } from '#kernel/access/policy';
import { higherRole, impliedProjectRole, type PatScope, type ProjectRole } from '#kernel/access/roles';
import { isDeveloper } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { OrganizationsService } from '#modules/organizations';
import { type ProjectScope } from '#kernel/context/scope';
import { ProjectsService } from '#modules/projects';
import { refused } from './refused';

/** Whether a route speaks of an organization at all. */
export const wantsOrganization = ({ organization, project }: AccessDemand): boolean =>
  organization !== undefined || project !== undefined;

/** What a developer may do at this moment. Never cached: losing a role acts on the next request. */
@Injectable()
export class AccessService {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly projects: ProjectsService,
  ) {}

  /**
   * Lets pass a credential that may do more in a project than its route asks of everybody.
   * @throws AppError as the route of that would (contract §2).
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
    if (refusal) throw refused(refusal, demand);
  }

  /** What the policy wants to know of a developer in the parents that a request names. */
  async factsOf(ctx: RequestContext, demand: AccessDemand, parents: Parents): Promise<AccessFacts> {
    const nothing: AccessFacts = { ...parents, organizationRoles: null, projectRole: null, projectExists: false };
    const { organizationId, projectId } = parents;
    if (!isDeveloper(ctx.identity) || !organizationId || !wantsOrganization(demand)) return nothing;
    const { developerId } = ctx.identity;
    const organizationRoles = await this.organizations.findRoles(ctx, organizationId, developerId);
    if (!organizationRoles || demand.project === undefined || !projectId) return { ...nothing, organizationRoles };
    const { exists, role } = await this.projects.findRole(ctx, { organizationId, projectId }, developerId);
    return { ...parents, organizationRoles, projectRole: role, projectExists: exists };
  }

  /** The higher of the developer's own role in the project and what their organization roles imply; null for none. */
  async projectRoleOf(ctx: RequestContext, scope: ProjectScope, developerId: string): Promise<ProjectRole | null> {
    const organizationRoles = await this.organizations.findRoles(ctx, scope.organizationId, developerId);
    const { exists, role } = await this.projects.findRole(ctx, scope, developerId);
    return organizationRoles && exists ? higherRole(role, impliedProjectRole(organizationRoles)) : null;
  }

  async isAdmin(ctx: RequestContext, organizationId: string, developerId: string): Promise<boolean> {
    return (await this.organizations.findRoles(ctx, organizationId, developerId))?.includes('ADMIN') ?? false;
  }
}
