import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { DevelopersService } from '#modules/developers';
import { MembersService } from '#modules/organizations';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { DeveloperErasureRepository } from './developer-erasure.repository';
import { type Subject } from './subjects.repository';

export interface DeveloperErasureOptions {
  /** Who becomes ADMIN where the developer is the only one: a member there. */
  readonly newAdmin: Subject | null;
}

/**
 * Erases a developer: what deletion by themself does, without their password, and with the invitations that name their address.
 * What they made stays, without their name. Organizations of which they are the only ADMIN need another one first.
 */
@Injectable()
export class DeveloperErasureService {
  constructor(
    private readonly repository: DeveloperErasureRepository,
    private readonly developers: DevelopersService,
    private readonly members: MembersService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /**
   * Organizations that get another ADMIN with it.
   * @throws AppError operation_not_allowed, saying what to do, when one would be left without.
   */
  async look(ctx: RequestContext, id: string, { newAdmin }: DeveloperErasureOptions): Promise<readonly string[]> {
    const organizations = await this.members.findOnlyAdministered(ctx, id);
    const lost = newAdmin ? await this.repository.findWithoutMember(ctx, organizations, newAdmin.id) : organizations;
    if (lost.length > 0 || newAdmin?.id === id) throw lastAdmin(lost);
    return organizations;
  }

  wasErased(ctx: RequestContext, id: string): Promise<boolean> {
    return this.repository.wasErased(ctx, id);
  }

  /** All or nothing. */
  async erase(ctx: RequestContext, id: string, options: DeveloperErasureOptions): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      for (const organizationId of await this.look(tx, id, options)) {
        await this.members.makeAdmin(tx, organizationId, options.newAdmin?.id ?? id);
      }
      await this.repository.deleteTraces(tx, id);
      await this.developers.delete(tx, id);
      await this.audit.record(tx, { type: 'developer.erased', organizationId: null, payload: { developer_id: id } });
    });
  }
}

const lastAdmin = (organizations: readonly string[]): AppError =>
  new AppError('operation_not_allowed', {
    message:
      'They are the only ADMIN of these organizations. Name another member by --new-admin, have a member made ADMIN, or erase the ' +
      'organizations first (account erase).',
    details: { reason: 'last_admin', organizations },
  });
