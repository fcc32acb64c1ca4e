import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThan, Not, type Repository } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';
import { InstallLinkEntity } from './install-link.entity';

/** A link that is shown again and again, and what it opens. */
export interface SealedLink {
  readonly id: string;
  readonly opens: string;
  readonly sealedToken: Buffer;
}

@Injectable()
export class InstallLinksRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(ctx: RequestContext, ...invites: InstallLinkEntity[]): Promise<void> {
    await this.invites(ctx).insert(invites);
  }

  /** Ends the link of a channel, and with it the download tickets that were minted through it; not those of testers. */
  async deleteOfChannel(ctx: RequestContext, channelId: string): Promise<void> {
    await this.invites(ctx).delete({ channelId, testerId: IsNull() });
  }

  countOfTester(ctx: RequestContext, testerId: string, since: Date): Promise<number> {
    return this.invites(ctx).countBy({ testerId, createdAt: MoreThan(since) });
  }

  /** Spends a token; of any number who try at once one succeeds. */
  async spend(ctx: RequestContext, id: string): Promise<boolean> {
    const { affected } = await this.invites(ctx).update({ id, spentAt: IsNull() }, { spentAt: ctx.clock.now() });
    return affected === 1;
  }

  /** The links of builds or of channels, those of testers not among them. */
  async findLinks(
    ctx: RequestContext,
    what: 'buildId' | 'channelId',
    ids: readonly string[],
  ): Promise<readonly SealedLink[]> {
    if (ids.length === 0) return [];
    const rows = await this.invites(ctx).find({
      select: { id: true, sealedToken: true, [what]: true },
      where: { [what]: In([...ids]), testerId: IsNull() },
    });
    return rows.flatMap((row) => {
      const { id, sealedToken } = row;
      const opens = row[what];
      return sealedToken && opens ? [{ id, opens, sealedToken }] : [];
    });
  }

  /** The builds that a tester was invited to one by one. */
  async findBuildIdsOfTester(ctx: RequestContext, testerId: string): Promise<readonly string[]> {
    const rows = await this.invites(ctx).find({
      select: { id: true, buildId: true },
      where: { testerId, buildId: Not(IsNull()) },
    });
    return [...new Set(rows.flatMap(({ buildId }) => (buildId === null ? [] : [buildId])))];
  }

  findByDigest(ctx: RequestContext, digest: Buffer): Promise<InstallLinkEntity | null> {
    return this.invites(ctx).findOneBy({ digest });
  }

  private invites(ctx: RequestContext): Repository<InstallLinkEntity> {
    return this.transactions.manager(ctx).getRepository(InstallLinkEntity);
  }
}
