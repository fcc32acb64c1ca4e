import { Injectable } from '@nestjs/common';
import { higherRole, impliedProjectRole, type ProjectRole } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { OrganizationsService } from '#modules/organizations';
import { type ProjectScope } from '#kernel/scope/scope';
import { ProjectsService } from '#modules/projects';

/** What a developer may do at this moment. Never cached: losing a role acts on the next request. */
@Injectable()
export class AccessService {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly projects: ProjectsService,
  ) {}

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
