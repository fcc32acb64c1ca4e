import { Injectable } from '@nestjs/common';
import { includesRole, type ProjectRole } from '#kernel/access/roles';
import { digestOf, isWellFormedToken } from '#kernel/access/token-format';
import { type ProjectTokenIdentity } from '#kernel/context/identity';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { type Quota, type QuotaUse, requireRoom } from '#kernel/quota';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { QuotaConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { AccessService } from '#modules/access';
import { MembersService } from '#modules/organizations';
import { type AccessToken, newRow, newValue, type WithValue } from '../lifetime/access-token';
import { requireFuture, requireNotExpired } from '../lifetime/token-expiry';
import {
  type OrganizationTokenFilter,
  type ProjectAccessTokenEntity,
  ProjectAccessTokensRepository,
} from './project-access-tokens.repository';

export interface ProjectAccessToken extends AccessToken {
  readonly projectId: string;
  readonly role: ProjectRole;
  readonly createdBy: string | null;
  /**
   * Whether the developer who received the value (the creator, or the developer who rotated it last) is not a member of the organization.
   */
  readonly creatorLeft: boolean;
}

export type NewProjectAccessToken = WithValue<ProjectAccessToken>;

interface ProjectAccessTokenDraft {
  readonly name: string;
  readonly role: ProjectRole;
  readonly expiresAt: Date | null;
}

/** One value of a token: while a rotation overlaps, the token has two, which expire at different times. */
type ProjectTokenValue = Pick<ProjectAccessToken, 'id' | 'name' | 'role' | 'expiresAt'>;

/** Tokens with which CI acts in one project. */
@Injectable()
export class ProjectAccessTokensService {
  constructor(
    private readonly repository: ProjectAccessTokensRepository,
    private readonly access: AccessService,
    private readonly members: MembersService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly quotas: QuotaConfig,
  ) {}

  async list(ctx: RequestContext, scope: ProjectScope, request: PageRequest): Promise<Page<ProjectAccessToken>> {
    const { items, nextCursor } = await this.repository.list(ctx, scope, request);
    return { items: await this.withReceivers(ctx, scope.organizationId, items), nextCursor };
  }

  /** The tokens of all projects of an organization, newest first. */
  async listOfOrganization(
    ctx: RequestContext,
    organizationId: string,
    filter: OrganizationTokenFilter,
    request: PageRequest,
  ): Promise<Page<ProjectAccessToken>> {
    const { items, nextCursor } = await this.repository.listOfOrganization(ctx, organizationId, filter, request);
    return { items: await this.withReceivers(ctx, organizationId, items), nextCursor };
  }

  /**
   * The token's role is at most the caller's current role. It stays when the caller is demoted or leaves, because the token belongs to the
   * project.
   * @throws AppError insufficient_role when the role is above the caller's own; quota_exceeded; invalid_input when the expiry is in the
   * past.
   */
  async create(
    ctx: RequestContext,
    scope: ProjectScope,
    draft: ProjectAccessTokenDraft,
  ): Promise<NewProjectAccessToken> {
    requireFuture(ctx, draft.expiresAt);
    const value = newValue('ag_prj_');
    return this.transactions.run(ctx, async (tx) => {
      const createdBy = developerOf(tx).developerId;
      await this.requireRole(tx, scope, draft.role);
      await this.requireQuota(tx, scope);
      const unrotated = { previousDigest: null, previousUntil: null, rotatedBy: null };
      const created = { ...newRow(tx, value), ...scope, ...draft, ...unrotated, createdBy };
      await this.repository.insert(tx, created);
      const payload = { token_id: created.id, role: draft.role };
      await this.audit.record(tx, { type: 'project_access_token.created', ...scope, payload });
      return { ...created, creatorLeft: false, token: value.token };
    });
  }

  /**
   * Replaces the value of a token. The old value stays valid for `overlapSeconds`, so that CI can switch without a gap; with
   * 0 it stops working immediately. Another rotation ends the overlap.
   * @throws AppError not_found; insufficient_role when the token's role is above the caller's own; operation_not_allowed when
   * the token has expired.
   */
  async rotate(
    ctx: RequestContext,
    scope: ProjectScope,
    id: string,
    overlapSeconds: number,
  ): Promise<NewProjectAccessToken> {
    const { token, stored } = newValue('ag_prj_');
    return this.transactions.run(ctx, async (tx) => {
      const old = await this.require(tx, scope, id);
      requireNotExpired(tx, old.expiresAt);
      const value = {
        ...stored,
        previousUntil: overlapSeconds > 0 ? new Date(tx.clock.now().getTime() + overlapSeconds * 1000) : null,
        rotatedBy: developerOf(tx).developerId,
      };
      await this.repository.rotate(tx, id, value);
      const payload = { token_id: id, overlap_seconds: overlapSeconds };
      await this.audit.record(tx, { type: 'project_access_token.rotated', ...scope, payload });
      return { ...old, ...value, creatorLeft: false, token };
    });
  }

  /** @throws AppError not_found; insufficient_role when the token's role is above the caller's own. */
  async revoke(ctx: RequestContext, scope: ProjectScope, id: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      await this.require(tx, scope, id);
      if (!(await this.repository.revoke(tx, scope, id))) throw AppError.notFound('project access token');
      await this.audit.record(tx, { type: 'project_access_token.revoked', ...scope, payload: { token_id: id } });
    });
  }

  /** Returns the identity of a token value; null when the token is not valid. A mistyped value is rejected without a query. */
  async resolve(ctx: RequestContext, token: string): Promise<ProjectTokenIdentity | null> {
    if (!isWellFormedToken(token, 'ag_prj_')) return null;
    const found = await this.repository.findByDigest(ctx, digestOf(token));
    if (!found) return null;
    await this.repository.touch(ctx, found);
    const { id: tokenId, name: tokenName, organizationId, projectId, role } = found;
    return { kind: 'project-token', tokenId, tokenName, organizationId, projectId, role };
  }

  /** The token with this value, with the expiry of the value; null when it is not valid. */
  async find(ctx: RequestContext, token: string): Promise<ProjectTokenValue | null> {
    const digest = digestOf(token);
    const found = await this.repository.findByDigest(ctx, digest);
    if (!found) return null;
    const { id, name, role, expiresAt, previousUntil } = found;
    if (digest.equals(found.digest) || previousUntil === null) return { id, name, role, expiresAt };
    const expiresFirst = expiresAt !== null && expiresAt < previousUntil;
    return { id, name, role, expiresAt: expiresFirst ? expiresAt : previousUntil };
  }

  /** Returns an unrevoked token if its role is not above the caller's own. */
  private async require(ctx: RequestContext, scope: ProjectScope, id: string): Promise<ProjectAccessTokenEntity> {
    const token = await this.repository.findUnrevoked(ctx, scope, id);
    if (!token) throw AppError.notFound('project access token');
    await this.requireRole(ctx, scope, token.role);
    return token;
  }

  private async withReceivers(
    ctx: RequestContext,
    organizationId: string,
    tokens: readonly ProjectAccessTokenEntity[],
  ): Promise<ProjectAccessToken[]> {
    const receivers = new Set(tokens.flatMap((token) => receiverOf(token) ?? []));
    const members = await this.members.findMembersAmong(ctx, organizationId, [...receivers]);
    return tokens.map((token) => ({ ...token, creatorLeft: !members.has(receiverOf(token) ?? '') }));
  }

  private async requireRole(ctx: RequestContext, scope: ProjectScope, wanted: ProjectRole): Promise<void> {
    const { developerId } = developerOf(ctx);
    // A removal of the caller waits until this transaction ends and then finds the token, or has happened and is found here.
    await this.members.hold(ctx, scope.organizationId, developerId);
    const held = await this.access.projectRoleOf(ctx, scope, developerId);
    if (held && includesRole(held, wanted)) return;
    throw new AppError('insufficient_role', {
      message: `The role ${wanted} of the token is above your own role in this project.`,
      details: { required_role: wanted },
    });
  }

  /** The project's number of valid tokens and its limit. */
  async quota(ctx: RequestContext, scope: ProjectScope): Promise<QuotaUse> {
    return { ...this.tokenQuota, used: await this.repository.count(ctx, scope) };
  }

  private get tokenQuota(): Quota {
    return { name: 'tokens_per_project', limit: this.quotas.tokensPerProject };
  }

  private async requireQuota(ctx: RequestContext, scope: ProjectScope): Promise<void> {
    const { limit } = this.tokenQuota;
    const used = await this.repository.lockAndCount(ctx, scope);
    requireRoom(this.tokenQuota, used, `The project has ${limit} tokens, which is the limit. Revoke one first.`);
  }
}

/** The developer to whom the current value was shown. `null` when the account of the creator was deleted. */
const receiverOf = ({ createdBy, rotatedBy }: ProjectAccessTokenEntity): string | null => rotatedBy ?? createdBy;
