import { Injectable } from '@nestjs/common';
import { type PatScope } from '#kernel/access/roles';
import { type PatIdentity } from '#kernel/context/identity';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { type Page, type PageRequest } from '#kernel/cursor';
import { requireRoom } from '#kernel/quota';
import { digestOf, isWellFormedToken, newToken } from '#kernel/access/token-format';
import { AccessService } from '#modules/access';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { QuotaConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { LastUsedRepository } from '../last-used.repository';
import { type NewPersonalAccessToken, type PersonalAccessToken } from './personal-access-token';
import { PersonalAccessTokensRepository } from './personal-access-tokens.repository';
import { requireFuture } from '../token-expiry';

export interface PersonalAccessTokenDraft {
  readonly name: string;
  readonly scopes: readonly PatScope[];
  readonly expiresAt: Date | null;
}

/** What a token speaks for, before anybody has looked at its owner. */
export type PatClaim = Omit<PatIdentity, 'email' | 'emailVerified'>;

/** Tokens with which scripts act for a developer in one organization, within their scopes (specification §5). */
@Injectable()
export class PersonalAccessTokensService {
  constructor(
    private readonly repository: PersonalAccessTokensRepository,
    private readonly lastUsed: LastUsedRepository,
    private readonly access: AccessService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly quotas: QuotaConfig,
  ) {}

  /** The developer's own; for an ADMIN everybody's. */
  async page(ctx: RequestContext, organizationId: string, request: PageRequest): Promise<Page<PersonalAccessToken>> {
    const { developerId } = developerOf(ctx);
    const admin = await this.access.isAdmin(ctx, organizationId, developerId);
    return this.repository.page(ctx, organizationId, admin ? null : developerId, request);
  }

  /** @throws AppError quota_exceeded, invalid_input. */
  async create(
    ctx: RequestContext,
    organizationId: string,
    draft: PersonalAccessTokenDraft,
  ): Promise<NewPersonalAccessToken> {
    requireFuture(ctx, draft.expiresAt);
    const { developerId } = developerOf(ctx);
    const token = newToken('ag_pat_');
    return this.transactions.run(ctx, async (tx) => {
      await this.requireRoom(tx, developerId);
      const entity = {
        id: newId(),
        organizationId,
        developerId,
        ...draft,
        scopes: [...draft.scopes],
        digest: digestOf(token),
        last4: token.slice(-4),
        createdAt: tx.clock.now(),
        revokedAt: null,
        lastUsedAt: null,
      };
      await this.repository.insert(tx, entity);
      const payload = { token_id: entity.id, scopes: draft.scopes };
      await this.audit.record(tx, { type: 'personal_access_token.created', organizationId, payload });
      return { ...entity, token };
    });
  }

  /** Gives one of the developer's own tokens another value; the old one stops at once. */
  async rotate(ctx: RequestContext, organizationId: string, id: string): Promise<NewPersonalAccessToken> {
    const token = newToken('ag_pat_');
    return this.transactions.run(ctx, async (tx) => {
      const old = await this.repository.findLiving(tx, organizationId, id);
      if (old?.developerId !== developerOf(tx).developerId) throw AppError.notFound('personal access token');
      const value = { digest: digestOf(token), last4: token.slice(-4) };
      await this.repository.rotate(tx, id, value);
      const payload = { token_id: id };
      await this.audit.record(tx, { type: 'personal_access_token.rotated', organizationId, payload });
      return { ...old, ...value, token };
    });
  }

  /** It stops working at once. A developer revokes their own, an ADMIN anybody's. */
  async revoke(ctx: RequestContext, organizationId: string, id: string): Promise<void> {
    const { developerId } = developerOf(ctx);
    await this.transactions.run(ctx, async (tx) => {
      const token = await this.repository.findLiving(tx, organizationId, id);
      const mine = token?.developerId === developerId || (await this.access.isAdmin(tx, organizationId, developerId));
      if (!token || !mine || !(await this.repository.revoke(tx, organizationId, id))) {
        throw AppError.notFound('personal access token');
      }
      const payload = { token_id: id, developer_id: token.developerId };
      await this.audit.record(tx, { type: 'personal_access_token.revoked', organizationId, payload });
    });
  }

  /** Whose token this is, or null. A mistyped one is refused without asking the database. */
  async resolve(ctx: RequestContext, token: string): Promise<PatClaim | null> {
    if (!isWellFormedToken(token, 'ag_pat_')) return null;
    const found = await this.repository.findByDigest(ctx, digestOf(token));
    if (!found) return null;
    await this.lastUsed.touch(ctx, 'personal_access_token', found);
    const { id: tokenId, developerId, organizationId, scopes } = found;
    return { kind: 'pat', tokenId, developerId, organizationId, scopes };
  }

  private async requireRoom(ctx: RequestContext, developerId: string): Promise<void> {
    const limit = this.quotas.patsPerDeveloper;
    const used = await this.repository.lockAndCount(ctx, developerId);
    requireRoom(
      { name: 'pats_per_developer', limit },
      used,
      `You have ${limit} personal access tokens, which is the limit. Revoke one first.`,
    );
  }
}
