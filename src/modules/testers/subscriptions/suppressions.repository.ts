import { Injectable } from '@nestjs/common';
import { In, IsNull, type Repository } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { emailKeyOf } from '#kernel/text/email-key';
import { newId } from '#kernel/ids';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { KeyedDigest } from '#infra/crypto/keyed-digest';
import { Transactions } from '#infra/database/transactions';
import { SuppressionEntity } from './suppression.entity';

/** What an address has left: channels by their id, and `null` for the whole project. */
export type Left = ReadonlySet<string | null>;

/** Who left, kept by a digest of their address that differs from project to project. */
@Injectable()
export class SuppressionsRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly digests: KeyedDigest,
  ) {}

  /** What each of the addresses has left. */
  async find(ctx: RequestContext, scope: ProjectScope, emails: readonly string[]): Promise<(email: string) => Left> {
    const digests = new Map(emails.map((email) => [emailKeyOf(email), this.digestOf(scope, email)]));
    const rows =
      digests.size === 0
        ? []
        : await this.suppressions(ctx).findBy({ ...scopeOf(scope), addressDigest: In([...digests.values()]) });
    const left = new Map<string, Set<string | null>>();
    for (const { addressDigest, channelId } of rows) {
      const key = addressDigest.toString('hex');
      left.set(key, (left.get(key) ?? new Set()).add(channelId));
    }
    return (email) => left.get(digests.get(emailKeyOf(email))?.toString('hex') ?? '') ?? new Set();
  }

  async add(ctx: RequestContext, scope: ProjectScope, email: string, channelId: string | null): Promise<void> {
    await this.suppressions(ctx)
      .createQueryBuilder()
      .insert()
      .values({
        ...scopeOf(scope),
        id: newId(),
        channelId,
        addressDigest: this.digestOf(scope, email),
        createdAt: ctx.clock.now(),
      })
      .orIgnore()
      .execute();
  }

  /** False when there was nothing to lift. */
  async lift(ctx: RequestContext, scope: ProjectScope, email: string, channelId: string | null): Promise<boolean> {
    const { affected } = await this.suppressions(ctx).delete({
      ...scopeOf(scope),
      addressDigest: this.digestOf(scope, email),
      channelId: channelId ?? IsNull(),
    });
    return (affected ?? 0) > 0;
  }

  private digestOf(scope: ProjectScope, email: string): Buffer {
    return this.digests.of(`suppression|${scope.projectId}`, emailKeyOf(email));
  }

  private suppressions(ctx: RequestContext): Repository<SuppressionEntity> {
    return this.transactions.manager(ctx).getRepository(SuppressionEntity);
  }
}
