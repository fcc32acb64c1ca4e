import { Injectable } from '@nestjs/common';
import { includesRole } from '#kernel/access/roles';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AccessService } from '#modules/access';
import { mayManageWebhooks } from '../sending/webhook-creators.service';
import { type WebhookScope } from '../webhook';
import { type WebhookRow, WebhooksRepository } from './webhooks.repository';

/** Admits ADMINs to the webhooks of an organization, and managers of a project to those of the project. */
@Injectable()
export class WebhookAccessService {
  constructor(
    private readonly access: AccessService,
    private readonly webhooks: WebhooksRepository,
  ) {}

  /** @throws AppError insufficient_role; permission_denied for a project that the caller may not see. */
  async require(ctx: RequestContext, { organizationId, projectId }: WebhookScope): Promise<void> {
    const { developerId } = developerOf(ctx);
    if (projectId === null) {
      if (await this.access.isAdmin(ctx, organizationId, developerId)) return;
      throw new AppError('insufficient_role', { details: { required_role: 'ADMIN' } });
    }
    const role = await this.access.projectRoleOf(ctx, { organizationId, projectId }, developerId);
    if (role === null) throw new AppError('permission_denied');
    if (includesRole(role, 'MANAGE_PROJECT')) return;
    throw new AppError('insufficient_role', { details: { required_role: 'MANAGE_PROJECT' } });
  }

  /** @throws AppError not_found, also for a webhook that the caller may not manage. */
  async get(ctx: RequestContext, organizationId: string, id: string): Promise<WebhookRow> {
    const webhook = await this.webhooks.find(ctx, organizationId, id);
    const roles = await this.access.memberRoles(ctx, organizationId);
    if (!webhook || !mayManageWebhooks(roles, webhook)) throw AppError.notFound('webhook');
    return webhook;
  }
}
