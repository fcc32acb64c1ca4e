import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { DevelopersService } from '#modules/developers';
import { MembersService } from '#modules/organizations';
import { AccountErasures } from './account-erasures';
import { type Subject } from './subjects.service';

export interface DeveloperErasureOptions {
  /** A member who becomes ADMIN of the organizations in which the developer is the only ADMIN. */
  readonly newAdmin: Subject | null;
}

/**
 * Erases a developer: like the deletion of an account by its owner, but without their password, and including the invitations to
 * their address. The objects that they created stay, without their name. An organization always keeps an ADMIN.
 */
@Injectable()
export class DeveloperErasureService {
  constructor(
    private readonly erasures: AccountErasures,
    private readonly developers: DevelopersService,
    private readonly members: MembersService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /**
   * Returns the organizations in which the new ADMIN replaces the developer.
   * @throws AppError operation_not_allowed when an organization would have no ADMIN.
   */
  async plan(ctx: RequestContext, id: string, { newAdmin }: DeveloperErasureOptions): Promise<readonly string[]> {
    const organizations = await this.members.findOnlyAdministered(ctx, id);
    const lost = newAdmin ? await this.members.findWithoutMember(ctx, organizations, newAdmin.id) : organizations;
    if (lost.length > 0 || newAdmin?.id === id) throw lastAdmin(lost);
    return organizations;
  }

  /** True when this account existed and was deleted. */
  wasErased(ctx: RequestContext, id: string): Promise<boolean> {
    return this.audit.wasRecorded(ctx, {
      types: ['developer.deleted', 'developer.erased'],
      organizationId: null,
      payload: { developer_id: id.toLowerCase() },
    });
  }

  /** Runs in one transaction. @throws AppError operation_not_allowed when an organization would have no ADMIN. */
  async erase(ctx: RequestContext, id: string, options: DeveloperErasureOptions): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      for (const organizationId of await this.plan(tx, id, options)) {
        await this.members.makeAdmin(tx, organizationId, options.newAdmin?.id ?? id);
      }
      for (const part of this.erasures.all) await part.eraseDeveloper?.(tx, id);
      await this.developers.delete(tx, id);
      await this.audit.record(tx, { type: 'developer.erased', organizationId: null, payload: { developer_id: id } });
    });
  }
}

const lastAdmin = (organizations: readonly string[]): AppError =>
  new AppError('operation_not_allowed', {
    message:
      'The developer is the only ADMIN of these organizations. Name another member with --new-admin, or erase the organizations ' +
      'first (account erase).',
    details: { reason: 'last_admin', organizations },
  });
