import { Injectable } from '@nestjs/common';
import { IsNull, LessThan, MoreThan, type Repository } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { type ProjectScope } from '#kernel/context/scope';
import { Transactions } from '#infra/database/transactions';
import { ProjectAccessTokenEntity } from './project-access-token.entity';

/** What a rotation changes. */
export type RotatedValue = Pick<ProjectAccessTokenEntity, 'digest' | 'last4' | 'previousDigest' | 'previousUntil'>;

@Injectable()
export class ProjectAccessTokensRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Counts the tokens of a project that still work while nobody else can add one. */
  async lockAndCount(ctx: RequestContext, { projectId }: ProjectScope): Promise<number> {
    await this.transactions.advisoryLock(ctx, `project-access-tokens|${projectId}`);
    const unrevoked = { projectId, revokedAt: IsNull() };
    return this.tokens(ctx).countBy([
      { ...unrevoked, expiresAt: IsNull() },
      { ...unrevoked, expiresAt: MoreThan(ctx.clock.now()) },
    ]);
  }

  async insert(ctx: RequestContext, token: ProjectAccessTokenEntity): Promise<void> {
    await this.tokens(ctx).insert(token);
  }

  async page(
    ctx: RequestContext,
    scope: ProjectScope,
    { limit, cursor }: PageRequest,
  ): Promise<Page<ProjectAccessTokenEntity>> {
    const list: ListName = `project-access-tokens|${scope.projectId}`;
    const before = decodeCursor(cursor, list);
    const rows = await this.tokens(ctx).find({
      where: { ...scope, revokedAt: IsNull(), ...(before && { id: LessThan(before) }) },
      order: { id: 'DESC' },
      take: limit + 1,
    });
    return pageOf(rows, limit, list);
  }

  findLiving(ctx: RequestContext, scope: ProjectScope, id: string): Promise<ProjectAccessTokenEntity | null> {
    return this.tokens(ctx).findOneBy({ ...scope, id, revokedAt: IsNull() });
  }

  /** False when somebody else revoked it first. */
  async revoke(ctx: RequestContext, scope: ProjectScope, id: string): Promise<boolean> {
    const { affected } = await this.tokens(ctx).update(
      { ...scope, id, revokedAt: IsNull() },
      { revokedAt: ctx.clock.now() },
    );
    return affected === 1;
  }

  /** The living token of a digest: its value, or the one before while the overlap of a rotation lasts. */
  async findByDigest(ctx: RequestContext, digest: Buffer): Promise<ProjectAccessTokenEntity | null> {
    const now = ctx.clock.now();
    const token = await this.tokens(ctx).findOne({
      where: [
        { digest, revokedAt: IsNull() },
        { previousDigest: digest, previousUntil: MoreThan(now), revokedAt: IsNull() },
      ],
    });
    return token && (token.expiresAt === null || token.expiresAt > now) ? token : null;
  }

  /** Gives a token another value. */
  async rotate(ctx: RequestContext, id: string, value: RotatedValue): Promise<void> {
    await this.tokens(ctx).update({ id }, value);
  }

  private tokens(ctx: RequestContext): Repository<ProjectAccessTokenEntity> {
    return this.transactions.manager(ctx).getRepository(ProjectAccessTokenEntity);
  }
}
