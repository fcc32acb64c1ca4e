import { Injectable } from '@nestjs/common';
import { Any, IsNull, type Repository } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelScope, type ProjectScope, scopeOf } from '#kernel/context/scope';
import { newId } from '#kernel/ids';
import { emailKeyOf } from '#kernel/text/email-address';
import { KeyedDigest } from '#infra/crypto/keyed-digest';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type MailRecipient, type RecipientVerdict } from '#infra/mail/mail-outbox';
import { SuppressionEntity } from '../subscriptions/subscription.entity';

/** The keyed digests by which suppressions know addresses. The digest of an address differs from project to project. */
@Injectable()
export class AddressDigests {
  constructor(private readonly digests: KeyedDigest) {}

  of({ projectId }: Pick<ProjectScope, 'projectId'>, email: string): Buffer {
    return this.digests.of(`suppression|${projectId}`, emailKeyOf(email));
  }
}

/** The channels that an address unsubscribed from; `null` in the set stands for the whole project. */
type Suppressions = ReadonlySet<string | null>;

/** Stores which addresses unsubscribed, as keyed digests. The digest of an address differs from project to project. */
@Injectable()
export class SuppressionsRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly digests: AddressDigests,
  ) {}

  /** Reads the suppressions of several addresses. @returns a function from an address to its suppressions. */
  async find(
    ctx: RequestContext,
    scope: ProjectScope,
    emails: readonly string[],
  ): Promise<(email: string) => Suppressions> {
    const digests = new Map(emails.map((email) => [emailKeyOf(email), this.digests.of(scope, email)]));
    const found =
      digests.size === 0
        ? []
        : await this.suppressions(ctx).findBy({ ...scopeOf(scope), addressDigest: Any([...digests.values()]) });
    const suppressed = new Map<string, Set<string | null>>();
    for (const { addressDigest, channelId } of found) {
      const key = addressDigest.toString('hex');
      suppressed.set(key, (suppressed.get(key) ?? new Set()).add(channelId));
    }
    return (email) => suppressed.get(digests.get(emailKeyOf(email))?.toString('hex') ?? '') ?? new Set();
  }

  /**
   * Whether a tester still exists, in any project, and has left neither the project nor the channel. Two subqueries, because each kind of
   * suppression has an index of its own.
   */
  async allowMail(ctx: RequestContext, { id, channelId }: MailRecipient): Promise<RecipientVerdict> {
    const found = await one<{ hasBounced: boolean }>(
      this.transactions.manager(ctx),
      `SELECT bounced_at IS NOT NULL AS "hasBounced" FROM tester t WHERE id = $1
       AND NOT EXISTS (SELECT FROM suppression x WHERE x.project_id = t.project_id AND x.address_digest = t.address_digest
                       AND x.channel_id IS NULL)
       AND NOT EXISTS (SELECT FROM suppression x WHERE x.project_id = t.project_id AND x.address_digest = t.address_digest
                       AND x.channel_id = $2)`,
      [id, channelId ?? null],
    );
    return found?.hasBounced ? 'unreachable' : found !== null;
  }

  /** The testers among `testerIds` who left the project or the channel. */
  async findLeft(
    ctx: RequestContext,
    { organizationId, projectId, channelId }: ChannelScope,
    testerIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    if (testerIds.length === 0) return new Set();
    const left = await rows<{ id: string }>(
      this.transactions.manager(ctx),
      `SELECT t.id FROM tester t JOIN suppression x ON x.project_id = t.project_id AND x.address_digest = t.address_digest
       WHERE t.organization_id = $1 AND t.project_id = $2 AND t.id = ANY ($4::uuid[])
         AND (x.channel_id IS NULL OR x.channel_id = $3)`,
      [organizationId, projectId, channelId, testerIds],
    );
    return new Set(left.map(({ id }) => id));
  }

  async add(ctx: RequestContext, scope: ProjectScope, email: string, channelId: string | null): Promise<void> {
    await this.suppressions(ctx)
      .createQueryBuilder()
      .insert()
      .values({
        ...scopeOf(scope),
        id: newId(),
        channelId,
        addressDigest: this.digests.of(scope, email),
        createdAt: ctx.clock.now(),
      })
      .orIgnore()
      .execute();
  }

  /** @returns false when there was no such suppression. */
  async delete(ctx: RequestContext, scope: ProjectScope, email: string, channelId: string | null): Promise<boolean> {
    const { affected } = await this.suppressions(ctx).delete({
      ...scopeOf(scope),
      addressDigest: this.digests.of(scope, email),
      channelId: channelId ?? IsNull(),
    });
    return (affected ?? 0) > 0;
  }

  private suppressions(ctx: RequestContext): Repository<SuppressionEntity> {
    return this.transactions.manager(ctx).getRepository(SuppressionEntity);
  }
}
