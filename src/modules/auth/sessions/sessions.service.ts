import { Injectable } from '@nestjs/common';
import { type Caller } from '#kernel/access/caller';
import { type Parents } from '#kernel/access/policy';
import { digestOf, isWellFormedToken, newToken } from '#kernel/access/token-format';
import { type DeveloperIdentity } from '#kernel/context/identity';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { isUuid, newId } from '#kernel/ids';
import { cleanText } from '#kernel/text/text';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { SecretsConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { widerNetwork } from '#infra/network/client-network';
import { CredentialViews } from '#modules/access';
import { AccountNoticesService, type Developer, DevelopersService, type IssueTime } from '#modules/developers';
import { AccessTokensService } from '../credentials/access-tokens.service';
import { type PresentedToken, SessionsRepository } from './sessions.repository';

/** The credentials that a login or refresh returns. */
export interface TokenPair {
  readonly sessionId: string;
  readonly token: string;
  readonly refreshToken: string;
}

/** The client of a login. */
export interface LoginClient {
  readonly userAgent?: string | undefined;
  /** Whether the device has an earlier login to the account. */
  readonly isKnownDevice: boolean;
}

const DAY_MS = 86_400_000;
const MAX_USER_AGENT_LENGTH = 300;
/** A session that is not refreshed expires after this time. */
export const IDLE_DAYS = 30;
/** Every session expires this time after its login. */
const ABSOLUTE_DAYS = 90;

/** Starts, refreshes, checks and ends the sessions of developers. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly repository: SessionsRepository,
    private readonly credentials: CredentialViews,
    private readonly developers: DevelopersService,
    private readonly accessTokens: AccessTokensService,
    private readonly config: SecretsConfig,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly notices: AccountNoticesService,
  ) {}

  /**
   * Exchanges a refresh token for a new pair. A token works once. The reuse of a token means that it was stolen, so its
   * family is revoked, with the access token that was issued last; within the leeway the client probably sent it twice, and the family
   * stays valid.
   * @param accepts whether the client may use the token of a session. A token that it may not use stays unused.
   * @throws AppError unauthorized when the token is not valid.
   */
  async refresh(
    ctx: RequestContext,
    refreshToken: string,
    accepts: (sessionId: string) => boolean,
  ): Promise<TokenPair> {
    if (!isWellFormedToken(refreshToken, 'ag_ref_')) throw endedSession();
    const digest = digestOf(refreshToken);
    const pair = await this.transactions.run(ctx, async (tx) => {
      const presented = await this.repository.lock(tx, digest, this.config.refreshReuseLeewaySeconds);
      if (!presented?.familyValid || !accepts(presented.familyId)) return null;
      if (presented.used) return this.rejectReuse(tx, presented);
      if (presented.expired) return null;
      // `issueTime` waits for a concurrent logout, so it must come before `minIssuedAt`, which that logout raises, is read.
      const time = await this.developers.issueTime(tx, presented.developerId);
      const holder = await this.developers.findSessionHolder(tx, presented.developerId);
      if (!holder || presented.familyCreatedAt < holder.minIssuedAt) return null;
      await this.repository.markUsed(tx, digest);
      return this.issuePair(tx, holder.developer, { ...presented, generation: presented.generation + 1 }, time);
    });
    if (!pair) throw endedSession();
    return pair;
  }

  /**
   * Returns the developer of a refresh token that could be exchanged now, without using it; null for every other token. For a logout: a
   * used token must not log its owner out.
   */
  async ownerOf(ctx: RequestContext, refreshToken: unknown): Promise<DeveloperIdentity | null> {
    if (typeof refreshToken !== 'string' || !isWellFormedToken(refreshToken, 'ag_ref_')) return null;
    const presented = await this.repository.find(ctx, digestOf(refreshToken));
    if (!presented?.familyValid || presented.used || presented.expired) return null;
    const holder = await this.developers.findSessionHolder(ctx, presented.developerId);
    if (!holder || presented.familyCreatedAt < holder.minIssuedAt) return null;
    const { id: developerId, email, emailVerified } = holder.developer;
    return { kind: 'jwt', developerId, email, emailVerified, sessionId: presented.familyId };
  }

  /** Ends all sessions of the caller immediately, on every process. */
  async logOut(ctx: RequestContext): Promise<void> {
    const { developerId } = developerOf(ctx);
    await this.transactions.run(ctx, async (tx) => {
      await this.developers.endSessions(tx, developerId);
      await this.audit.record(tx, {
        type: 'session.logged_out',
        organizationId: null,
        payload: { developer_id: developerId },
      });
    });
  }

  /**
   * Returns the developer of an access token with their roles in `parents`; null when the token is not valid. `minIssuedAt`, the state of
   * the session and the roles are read on every request and never cached, so that a logout and a revocation take effect immediately.
   */
  async resolve(
    ctx: RequestContext,
    payload: Readonly<Record<string, unknown>>,
    parents: Parents,
  ): Promise<Caller<DeveloperIdentity> | null> {
    const claims = this.accessTokens.checkClaims(payload);
    if (!claims || !isUuid(claims.sub)) return null;
    // A token that an earlier release issued names no session.
    const sessionId = claims.sid ?? null;
    const session = await this.credentials.ofSession(ctx, { developerId: claims.sub, sessionId }, parents);
    if (!session || !this.accessTokens.isCurrent(claims, session)) return null;
    if (sessionId !== null && !session.hasSession) return null;
    const { developerId, email, emailVerified, accessFacts } = session;
    return { identity: { kind: 'jwt', developerId, email, emailVerified, sessionId }, accessFacts };
  }

  /** Starts a session: creates a family of refresh tokens and its first pair. */
  async start(tx: RequestContext, developer: Developer, client: LoginClient): Promise<TokenPair> {
    const time = await this.developers.issueTime(tx, developer.id);
    const familyId = newId();
    const createdAt = new Date(time.issuedAt);
    const expiresAt = new Date(time.now + ABSOLUTE_DAYS * DAY_MS);
    await this.notifyOfUnknownNetwork(tx, developer, client);
    await this.repository.insertFamily(tx, {
      id: familyId,
      developerId: developer.id,
      createdAt,
      expiresAt,
      revokedAt: null,
      address: tx.sourceIp,
      network: widerNetwork(tx.sourceIp),
      userAgent: client.userAgent === undefined ? null : cleanText(client.userAgent, MAX_USER_AGENT_LENGTH),
      lastUsedAt: null,
    });
    await this.audit.record(tx, {
      type: 'login.succeeded',
      organizationId: null,
      payload: { developer_id: developer.id, session_id: familyId },
    });
    return this.issuePair(tx, developer, { familyId, familyExpiresAt: expiresAt, generation: 0 }, time);
  }

  /** The first login, which follows the sign-up, needs no notice. Unverified accounts get none: their address may be another person's. */
  private async notifyOfUnknownNetwork(
    tx: RequestContext,
    { id, emailVerified, createdAt }: Developer,
    { isKnownDevice, userAgent }: LoginClient,
  ): Promise<void> {
    if (isKnownDevice || !emailVerified) return;
    const isNew = tx.clock.now().getTime() - createdAt.getTime() < DAY_MS;
    const known = await this.repository.isKnownNetwork(tx, id, widerNetwork(tx.sourceIp));
    if (!(known ?? isNew)) await this.notices.newSession(tx, id, userAgent);
  }

  private async rejectReuse(tx: RequestContext, presented: PresentedToken): Promise<null> {
    if (presented.justReplaced) return null;
    await this.repository.revokeFamily(tx, presented.familyId);
    const payload = { developer_id: presented.developerId, family_id: presented.familyId };
    await this.audit.record(tx, { type: 'session.refresh_reuse', organizationId: null, payload });
    return null;
  }

  private async issuePair(
    tx: RequestContext,
    developer: { id: string; email: string },
    position: { familyId: string; familyExpiresAt: Date; generation: number },
    time: IssueTime,
  ): Promise<TokenPair> {
    const refreshToken = newToken('ag_ref_');
    const expiresAt = new Date(Math.min(time.now + IDLE_DAYS * DAY_MS, position.familyExpiresAt.getTime()));
    const { familyId, generation } = position;
    await this.repository.insertToken(tx, {
      digest: digestOf(refreshToken),
      familyId,
      generation,
      expiresAt,
      usedAt: null,
    });
    return { sessionId: familyId, token: this.accessTokens.issue(developer, familyId, time), refreshToken };
  }
}

const endedSession = (): AppError => new AppError('unauthorized', { message: 'This session has ended. Log in again.' });
