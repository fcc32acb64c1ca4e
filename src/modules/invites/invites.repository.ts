import { Injectable } from '@nestjs/common';
import { In, type Repository } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#platform/database/transactions';
import { InviteEntity } from './invite.entity';

@Injectable()
export class InvitesRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(ctx: RequestContext, invite: InviteEntity): Promise<void> {
    await this.invites(ctx).insert(invite);
  }

  findByBuilds(ctx: RequestContext, buildIds: readonly string[]): Promise<InviteEntity[]> {
    return buildIds.length === 0 ? Promise.resolve([]) : this.invites(ctx).findBy({ buildId: In([...buildIds]) });
  }

  findByDigest(ctx: RequestContext, digest: Buffer): Promise<InviteEntity | null> {
    return this.invites(ctx).findOneBy({ digest });
  }

  private invites(ctx: RequestContext): Repository<InviteEntity> {
    return this.transactions.manager(ctx).getRepository(InviteEntity);
  }
}
