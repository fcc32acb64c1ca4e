import { Injectable } from '@nestjs/common';
import { hasOrganizationRole, type MemberRoles, roleInProject } from '#kernel/access/policy';
import { includesRole } from '#kernel/access/roles';
import { maySee, type RecordedChange, type Viewer } from '#kernel/audit/change';
import { type RequestContext } from '#kernel/context/request-context';
import { CredentialViews } from '#modules/access';
import { DevelopersService } from '#modules/developers';
import { type WebhookEntity } from '../endpoints/webhooks.repository';
import { type WebhookScope } from '../webhook';

/** Whether a member may have webhooks there: an ADMIN anywhere, others in the projects that they manage. */
export const mayManageWebhooks = (roles: MemberRoles, { projectId }: Pick<WebhookScope, 'projectId'>): boolean =>
  hasOrganizationRole(roles, 'ADMIN') ||
  (projectId !== null && includesRole(roleInProject(roles, projectId), 'MANAGE_PROJECT'));

/** Reads, before each delivery, what the creator of a webhook may see at that moment. */
@Injectable()
export class WebhookCreatorsService {
  constructor(
    private readonly credentials: CredentialViews,
    private readonly developers: DevelopersService,
  ) {}

  /** The creator with their present roles; null when they may no longer have the webhook. */
  async find(
    ctx: RequestContext,
    { createdBy, organizationId, projectId }: Pick<WebhookEntity, 'createdBy' | 'organizationId' | 'projectId'>,
  ): Promise<Viewer | null> {
    if (createdBy === null) return null;
    const holder = await this.developers.findSessionHolder(ctx, createdBy);
    if (!holder) return null;
    const roles = await this.credentials.rolesOf(ctx, organizationId, createdBy);
    if (!mayManageWebhooks(roles, { projectId })) return null;
    const { email, emailVerified } = holder.developer;
    return { identity: { kind: 'jwt', developerId: createdBy, email, emailVerified }, roles };
  }

  /** The context in which the objects of an event are read: it shows no ids of devices, and install links only by choice. */
  contextOf(
    ctx: RequestContext,
    { identity, roles }: Viewer,
    { projectId }: Pick<RecordedChange, 'projectId'>,
    includeLinks: boolean,
  ): RequestContext {
    const role = projectId === null ? null : roleInProject(roles, projectId);
    const mayDownload = includeLinks && includesRole(role, 'DOWNLOAD_BUILD');
    return { ...ctx, identity, projectRole: mayDownload ? 'DOWNLOAD_BUILD' : role && 'VIEW_PROJECT' };
  }
}

/** Whether a webhook may send an event: of its project, and one that its creator may see. */
export const isVisible = (
  { projectId }: Pick<WebhookScope, 'projectId'>,
  viewer: Viewer,
  change: RecordedChange,
): boolean => (projectId === null || change.projectId === projectId) && maySee(viewer, change);
