import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { Transactions } from '#infra/database/transactions';
import { UpdateSignatureEntity } from './update-signature.entity';

@Injectable()
export class UpdateSignaturesRepository {
  constructor(private readonly transactions: Transactions) {}

  async find(ctx: RequestContext, scope: ProjectScope, buildId: string): Promise<string | null> {
    const found = await this.signatures(ctx).findOneBy({ ...scopeOf(scope), buildId });
    return found?.signature ?? null;
  }

  /** Stores the signature of a build, instead of an earlier one. The caller must know that the build is in the project. */
  async save(ctx: RequestContext, scope: ProjectScope, buildId: string, signature: string): Promise<void> {
    const row = { ...scopeOf(scope), buildId, signature, createdAt: ctx.clock.now() };
    await this.signatures(ctx).upsert(row, ['buildId']);
  }

  async delete(ctx: RequestContext, scope: ProjectScope, buildId: string): Promise<void> {
    await this.signatures(ctx).delete({ ...scopeOf(scope), buildId });
  }

  private signatures(ctx: RequestContext) {
    return this.transactions.manager(ctx).getRepository(UpdateSignatureEntity);
  }
}
