import { Injectable } from '@nestjs/common';
import { type PatScope } from '#kernel/access/roles';
import { type Caller } from '#kernel/access/caller';
import { type Parents } from '#kernel/access/policy';
import { digestOf, isWellFormedToken, newToken } from '#kernel/access/token-format';
import { type PatIdentity } from '#kernel/context/identity';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { requireRoom } from '#kernel/quota';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { QuotaConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { AccessService } from '#modules/access';
import { AccountNoticesService } from '#modules/developers';
import { accessFactsOf } from '#modules/projects';
import { LastUsedRepository } from '../lifetime/last-used.repository';
import { requireFuture, requireNotExpired } from '../lifetime/token-expiry';
import { PersonalAccessTokensRepository } from './personal-access-tokens.repository';

export interface PersonalAccessToken {
  readonly id: string;
  readonly organizationId: string;
  readonly developerId: string;
  readonly name: string;
  readonly scopes: readonly PatScope[];
  readonly last4: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** A token with its value, which only the response of its creation or rotation contains. */
export interface NewPersonalAccessToken extends PersonalAccessToken {
  readonly token: string;
}

interface PersonalAccessTokenDraft {
  readonly name: string;
  readonly scopes: readonly PatScope[];
  readonly expiresAt: Date | null;
}

/** Tokens with which scripts act for a developer in one organization, within the scopes of the token. */
@Injectable()
export class PersonalAccessTokensService {
  constructor(
    private readonly repository: PersonalAccessTokensRepository,
    private readonly lastUsed: LastUsedRepository,
    private readonly access: AccessService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly quotas: QuotaConfig,
    private readonly notices: AccountNoticesService,
  ) {}

  /** Lists the caller's own tokens; for an ADMIN, the tokens of every member. */
  async list(ctx: RequestContext, organizationId: string, request: PageRequest): Promise<Page<PersonalAccessToken>> {
    const { developerId } = developerOf(ctx);
    const admin = await this.access.isAdmin(ctx, organizationId, developerId);
    return this.repository.list(ctx, organizationId, admin ? null : developerId, request);
  }

  /** Creates a token and mails its owner. @throws AppError quota_exceeded; invalid_input when the expiry is in the past. */
  async create(
    ctx: RequestContext,
    organizationId: string,
    draft: PersonalAccessTokenDraft,
  ): Promise<NewPersonalAccessToken> {
    requireFuture(ctx, draft.expiresAt);
    const { developerId } = developerOf(ctx);
    const token = newToken('ag_pat_');
    return this.transactions.run(ctx, async (tx) => {
      await this.requireQuota(tx, developerId);
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
      await this.notices.newToken(tx, developerId, { last4: entity.last4, scopes: entity.scopes });
      return { ...entity, token };
    });
  }

  /**
   * Replaces the value of one of the caller's own tokens. The old value stops working at once.
   * @throws AppError not_found; operation_not_allowed when the token has expired.
   */
  async rotate(ctx: RequestContext, organizationId: string, id: string): Promise<NewPersonalAccessToken> {
    const token = newToken('ag_pat_');
    return this.transactions.run(ctx, async (tx) => {
      const old = await this.repository.findUnrevoked(tx, organizationId, id);
      if (old?.developerId !== developerOf(tx).developerId) throw AppError.notFound('personal access token');
      requireNotExpired(tx, old.expiresAt);
      const value = { digest: digestOf(token), last4: token.slice(-4) };
      await this.repository.rotate(tx, id, value);
      const payload = { token_id: id };
      await this.audit.record(tx, { type: 'personal_access_token.rotated', organizationId, payload });
      return { ...old, ...value, token };
    });
  }

  /** A developer may revoke their own tokens, an ADMIN the tokens of every member. @throws AppError not_found */
  async revoke(ctx: RequestContext, organizationId: string, id: string): Promise<void> {
    const { developerId } = developerOf(ctx);
    await this.transactions.run(ctx, async (tx) => {
      const token = await this.repository.findUnrevoked(tx, organizationId, id);
      const isOwn = token?.developerId === developerId;
      const mayRevoke = isOwn || (await this.access.isAdmin(tx, organizationId, developerId));
      if (!token || !mayRevoke || !(await this.repository.revoke(tx, organizationId, id))) {
        throw AppError.notFound('personal access token');
      }
      const payload = { token_id: id, developer_id: token.developerId };
      await this.audit.record(tx, { type: 'personal_access_token.revoked', organizationId, payload });
    });
  }

  /**
   * Revokes the token with this value. The value is the only credential that the caller needs. An unknown, expired or revoked value
   * changes nothing, as in RFC 7009, section 2.2.
   */
  async revokeValue(ctx: RequestContext, token: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const found = await this.repository.findByDigest(tx, digestOf(token));
      if (!found || !(await this.repository.revoke(tx, found.organizationId, found.id))) return;
      const { id, organizationId, developerId } = found;
      const payload = { token_id: id, developer_id: developerId };
      await this.audit.record(tx, { type: 'personal_access_token.revoked', organizationId, payload });
    });
  }

  /**
   * Returns the owner of a token value with their roles in `parents`; null when the token is not valid, or when the account of its owner is
   * suspended. A mistyped value is rejected without a query. A token stays valid when its owner's password changes.
   */
  async resolve(ctx: RequestContext, token: string, parents: Parents): Promise<Caller<PatIdentity> | null> {
    if (!isWellFormedToken(token, 'ag_pat_')) return null;
    const found = await this.repository.findOwned(ctx, digestOf(token), parents);
    if (!found) return null;
    await this.lastUsed.touch(ctx, 'personal_access_token', found);
    const { id: tokenId, developerId, email, emailVerified, organizationId, scopes } = found;
    const identity: PatIdentity = { kind: 'pat', tokenId, developerId, email, emailVerified, organizationId, scopes };
    return { identity, accessFacts: accessFactsOf(parents, found) };
  }

  /** The token with this value; null when it is not valid. */
  find(ctx: RequestContext, token: string): Promise<PersonalAccessToken | null> {
    return this.repository.findByDigest(ctx, digestOf(token));
  }

  /**
   * Waits for concurrent creations until the transaction ends. @throws AppError quota_exceeded when the developer may have no more tokens.
   */
  async requireQuota(tx: RequestContext, developerId: string): Promise<void> {
    const limit = this.quotas.patsPerDeveloper;
    const used = await this.repository.lockAndCount(tx, developerId);
    requireRoom(
      { name: 'pats_per_developer', limit },
      used,
      `You have ${limit} personal access tokens, which is the limit. Revoke one first.`,
    );
  }
}
