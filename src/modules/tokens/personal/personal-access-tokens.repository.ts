import { Injectable } from '@nestjs/common';
import { IsNull, LessThan, MoreThan, type Repository } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { Transactions } from '#infra/database/transactions';
import { PersonalAccessTokenEntity } from './personal-access-token.entity';

@Injectable()
export class PersonalAccessTokensRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Counts a developer's tokens that still work while they can add no other. */
  async lockAndCount(ctx: RequestContext, developerId: string): Promise<number> {
    await this.transactions.advisoryLock(ctx, `personal-access-tokens|${developerId}`);
    const unrevoked = { developerId, revokedAt: IsNull() };
    return this.tokens(ctx).countBy([
      { ...unrevoked, expiresAt: IsNull() },
      { ...unrevoked, expiresAt: MoreThan(ctx.clock.now()) },
    ]);
  }

  async insert(ctx: RequestContext, token: PersonalAccessTokenEntity): Promise<void> {
    await this.tokens(ctx).insert(token);
  }

  /** @param ownerId only this developer's; null: everybody's in the organization. */
  async page(
    ctx: RequestContext,
    organizationId: string,
    ownerId: string | null,
    { limit, cursor }: PageRequest,
  ): Promise<Page<PersonalAccessTokenEntity>> {
    const list: ListName = `personal-access-tokens|${organizationId}`;
    const before = decodeCursor(cursor, list);
    const rows = await this.tokens(ctx).find({
      where: {
        organizationId,
        revokedAt: IsNull(),
        ...(ownerId && { developerId: ownerId }),
        ...(before && { id: LessThan(before) }),
      },
      order: { id: 'DESC' },
      take: limit + 1,
    });
    return pageOf(rows, limit, list);
  }

  findLiving(ctx: RequestContext, organizationId: string, id: string): Promise<PersonalAccessTokenEntity | null> {
    return this.tokens(ctx).findOneBy({ organizationId, id, revokedAt: IsNull() });
  }

  /** False when somebody else revoked it first. */
  async revoke(ctx: RequestContext, organizationId: string, id: string): Promise<boolean> {
    const change = { revokedAt: ctx.clock.now() };
    const { affected } = await this.tokens(ctx).update({ organizationId, id, revokedAt: IsNull() }, change);
    return affected === 1;
  }

  async rotate(
    ctx: RequestContext,
    id: string,
    value: Pick<PersonalAccessTokenEntity, 'digest' | 'last4'>,
  ): Promise<void> {
    await this.tokens(ctx).update({ id }, value);
  }

  /** The living token of a digest, by one indexed read. */
  async findByDigest(ctx: RequestContext, digest: Buffer): Promise<PersonalAccessTokenEntity | null> {
    const token = await this.tokens(ctx).findOneBy({ digest, revokedAt: IsNull() });
    return token && (token.expiresAt === null || token.expiresAt > ctx.clock.now()) ? token : null;
  }

  private tokens(ctx: RequestContext): Repository<PersonalAccessTokenEntity> {
    return this.transactions.manager(ctx).getRepository(PersonalAccessTokenEntity);
  }
}
