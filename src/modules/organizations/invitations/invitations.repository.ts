import { Injectable } from '@nestjs/common';
import { LessThan, MoreThan, type Repository } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { decodeCursor, type ListName, type Page, type PageRequest, pageOf } from '#kernel/cursor';
import { deleteInBatches } from '#infra/database/delete-in-batches';
import { Transactions } from '#infra/database/transactions';
import { InvitationEntity } from './invitation.entity';

@Injectable()
export class InvitationsRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(ctx: RequestContext, invitation: InvitationEntity): Promise<void> {
    await this.invitations(ctx).insert(invitation);
  }

  exists(ctx: RequestContext, id: string): Promise<boolean> {
    return this.invitations(ctx).existsBy({ id });
  }

  /** The open ones, newest first. */
  async page(
    ctx: RequestContext,
    organizationId: string,
    { limit, cursor }: PageRequest,
  ): Promise<Page<InvitationEntity>> {
    const list: ListName = `invitations|${organizationId}`;
    const before = decodeCursor(cursor, list);
    const rows = await this.invitations(ctx).find({
      where: { organizationId, expiresAt: MoreThan(ctx.clock.now()), ...(before && { id: LessThan(before) }) },
      order: { id: 'DESC' },
      take: limit + 1,
    });
    return pageOf(rows, limit, list);
  }

  /** Takes it back or up; false when it was gone. Exactly one caller wins. */
  async delete(
    ctx: RequestContext,
    where: Partial<Pick<InvitationEntity, 'organizationId' | 'id' | 'emailKey'>>,
  ): Promise<boolean> {
    const { affected } = await this.invitations(ctx).delete(where);
    return (affected ?? 0) > 0;
  }

  /** One that can still be accepted. */
  async findLiving(ctx: RequestContext, digest: Buffer): Promise<InvitationEntity | null> {
    const invitation = await this.invitations(ctx).findOneBy({ digest });
    return invitation && invitation.expiresAt > ctx.clock.now() ? invitation : null;
  }

  /** Forgets those that nobody has accepted a week after they expired. */
  prune(ctx: RequestContext): Promise<void> {
    return deleteInBatches(
      this.transactions.manager(ctx),
      'organization_invitation',
      // app_now() in a query of its own: the index serves one value, not a function that may change from row to row.
      `expires_at < (SELECT app_now() - interval '7 days')`,
    );
  }

  private invitations(ctx: RequestContext): Repository<InvitationEntity> {
    return this.transactions.manager(ctx).getRepository(InvitationEntity);
  }
}
