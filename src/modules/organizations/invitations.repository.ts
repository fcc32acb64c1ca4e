import { Injectable } from '@nestjs/common';
import { LessThan, type Repository } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { decodeCursor, type ListName, type Page, type PageRequest, pageOf } from '#kernel/paging/cursor';
import { Transactions } from '#platform/database/transactions';
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

  async page(
    ctx: RequestContext,
    organizationId: string,
    { limit, cursor }: PageRequest,
  ): Promise<Page<InvitationEntity>> {
    const list: ListName = `invitations|${organizationId}`;
    const before = decodeCursor(cursor, list);
    const rows = await this.invitations(ctx).find({
      where: { organizationId, ...(before && { id: LessThan(before) }) },
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

  private invitations(ctx: RequestContext): Repository<InvitationEntity> {
    return this.transactions.manager(ctx).getRepository(InvitationEntity);
  }
}
