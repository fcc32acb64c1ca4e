import { Injectable } from '@nestjs/common';
import { type Caller } from '#kernel/access/caller';
import { type Parents } from '#kernel/access/policy';
import { type PatScope } from '#kernel/access/roles';
import { digestOf, isWellFormedToken } from '#kernel/access/token-format';
import { type PatIdentity } from '#kernel/context/identity';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { requireRoom } from '#kernel/quota';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { QuotaConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { AccessService, CredentialViews } from '#modules/access';
import { AccountNoticesService } from '#modules/developers';
import { type AccessToken, newRow, newValue, type WithValue } from '../lifetime/access-token';
import { isUnexpired, requireFuture, requireNotExpired } from '../lifetime/token-expiry';
import { PersonalAccessTokensRepository } from './personal-access-tokens.repository';

export interface PersonalAccessToken extends AccessToken {
  readonly developerId: string;
  readonly scopes: readonly PatScope[];
}

export type NewPersonalAccessToken = WithValue<PersonalAccessToken>;

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
    private readonly credentials: CredentialViews,
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
    const value = newValue('ag_pat_');
    return this.transactions.run(ctx, async (tx) => {
      await this.requireQuota(tx, developerId);
      const created = { ...newRow(tx, value), organizationId, developerId, ...draft, scopes: [...draft.scopes] };
      await this.repository.insert(tx, created);
      const payload = { token_id: created.id, scopes: draft.scopes };
      await this.audit.record(tx, { type: 'personal_access_token.created', organizationId, payload });
      await this.notices.newToken(tx, developerId, { last4: created.last4, scopes: created.scopes });
      return { ...created, token: value.token };
    });
  }

  /**
   * Replaces the value of one of the caller's own tokens. The old value stops working immediately.
   * @throws AppError not_found; operation_not_allowed when the token has expired.
   */
  async rotate(ctx: RequestContext, organizationId: string, id: string): Promise<NewPersonalAccessToken> {
    const { token, stored } = newValue('ag_pat_');
    return this.transactions.run(ctx, async (tx) => {
      const old = await this.repository.findUnrevoked(tx, { organizationId }, id);
      if (old?.developerId !== developerOf(tx).developerId) throw AppError.notFound('personal access token');
      requireNotExpired(tx, old.expiresAt);
      await this.repository.rotate(tx, id, stored);
      const payload = { token_id: id };
      await this.audit.record(tx, { type: 'personal_access_token.rotated', organizationId, payload });
      return { ...old, ...stored, token };
    });
  }

  /** A developer may revoke their own tokens, an ADMIN the tokens of every member. @throws AppError not_found */
  async revoke(ctx: RequestContext, organizationId: string, id: string): Promise<void> {
    const { developerId } = developerOf(ctx);
    await this.transactions.run(ctx, async (tx) => {
      const token = await this.repository.findUnrevoked(tx, { organizationId }, id);
      const isOwn = token?.developerId === developerId;
      const mayRevoke = isOwn || (await this.access.isAdmin(tx, organizationId, developerId));
      if (!token || !mayRevoke || !(await this.revokeFound(tx, token)))
        throw AppError.notFound('personal access token');
    });
  }

  /**
   * Revokes the token with this value. The value is the only credential that the caller needs. An unknown, expired or revoked value
   * changes nothing, as in RFC 7009, section 2.2.
   */
  async revokeValue(ctx: RequestContext, token: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const found = await this.repository.findByDigest(tx, digestOf(token));
      if (found) await this.revokeFound(tx, found);
    });
  }

  /**
   * Returns the owner of a token value with their roles in `parents`; null when the token is not valid, or when the account of its owner is
   * suspended. A mistyped value is rejected without a query. A token stays valid when its owner's password changes.
   */
  async resolve(ctx: RequestContext, token: string, parents: Parents): Promise<Caller<PatIdentity> | null> {
    if (!isWellFormedToken(token, 'ag_pat_')) return null;
    const found = await this.credentials.ofPersonalToken(ctx, digestOf(token), parents);
    if (!found || !isUnexpired(ctx, found.expiresAt)) return null;
    await this.repository.touch(ctx, found);
    const { id: tokenId, developerId, email, emailVerified, organizationId, scopes, accessFacts } = found;
    const identity: PatIdentity = { kind: 'pat', tokenId, developerId, email, emailVerified, organizationId, scopes };
    return { identity, accessFacts };
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

  /** @returns false when the token has been revoked since it was read. */
  private async revokeFound(
    tx: RequestContext,
    { id, organizationId, developerId }: PersonalAccessToken,
  ): Promise<boolean> {
    if (!(await this.repository.revoke(tx, { organizationId }, id))) return false;
    const payload = { token_id: id, developer_id: developerId };
    await this.audit.record(tx, { type: 'personal_access_token.revoked', organizationId, payload });
    return true;
  }
}
