import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { Transactions } from '#infra/database/transactions';
import { MinSupportedVersionEntity } from './min-supported-version.entity';

/** A platform and the lowest version of it that is supported. */
export type MinSupportedVersion = readonly [platform: Platform, version: string];

@Injectable()
export class MinSupportedVersionsRepository {
  constructor(private readonly transactions: Transactions) {}

  async list(ctx: RequestContext, scope: ProjectScope): Promise<readonly MinSupportedVersion[]> {
    const found = await this.versions(ctx).findBy(scopeOf(scope));
    return found.map(({ platform, version }) => [platform, version]);
  }

  async save(ctx: RequestContext, scope: ProjectScope, versions: readonly MinSupportedVersion[]): Promise<void> {
    const rows = versions.map(([platform, version]) => ({ ...scopeOf(scope), platform, version }));
    await this.versions(ctx).upsert(rows, ['projectId', 'platform']);
  }

  async delete(ctx: RequestContext, scope: ProjectScope, platforms: readonly Platform[]): Promise<void> {
    await this.versions(ctx).delete({ ...scopeOf(scope), platform: In([...platforms]) });
  }

  private versions(ctx: RequestContext) {
    return this.transactions.manager(ctx).getRepository(MinSupportedVersionEntity);
  }
}
