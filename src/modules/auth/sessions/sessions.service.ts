import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type DeveloperIdentity } from '#kernel/context/identity';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { isUuid, newId } from '#kernel/ids';
import { digestOf, isWellFormedToken, newToken } from '#kernel/access/token-format';
import { type Developer, DevelopersService } from '#modules/developers';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { SecretsConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { type AccessClaims, AccessTokens } from '../credentials/access-tokens';
import { type PresentedToken, SessionsRepository } from './sessions.repository';

/** What a login or refresh gives. */
export interface TokenPair {
  readonly token: string;
  readonly refreshToken: string;
}

const DAY_MS = 86_400_000;
/** Contract §3: 30 days idle, 90 days absolute. */
const IDLE_DAYS = 30;
const ABSOLUTE_DAYS = 90;

/** Staying logged in, and logging out. */
@Injectable()
export class SessionsService implements OnModuleInit {
  constructor(
    private readonly repository: SessionsRepository,
    private readonly developers: DevelopersService,
    private readonly accessTokens: AccessTokens,
    private readonly config: SecretsConfig,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('auth.prune-sessions', '23 4 * * *', (ctx) => this.repository.prune(ctx));
  }

  /**
   * Trades a refresh token for a new pair, once. A used one coming back means that it was stolen: its family is revoked,
   * except within the leeway, when the client only sent it twice.
   */
  async refresh(ctx: RequestContext, refreshToken: string): Promise<TokenPair> {
    if (!isWellFormedToken(refreshToken, 'ag_ref_')) throw endedSession();
    const digest = digestOf(refreshToken);
    const pair = await this.transactions.run(ctx, async (tx) => {
      const presented = await this.repository.lock(tx, digest, this.config.refreshReuseLeewaySeconds);
      if (!presented?.living) return null;
      if (presented.used) return this.refuseReuse(tx, presented);
      if (presented.expired) return null;
      // First the time, which waits for a logout on its way; then the floor, which that logout has raised.
      const issuedAt = await this.developers.issueTime(tx, presented.developerId);
      const holder = await this.developers.findSessionHolder(tx, presented.developerId);
      if (!holder || presented.familyCreatedAt < holder.minIssuedAt) return null;
      await this.repository.markUsed(tx, digest);
      return this.issuePair(tx, holder.developer, { ...presented, generation: presented.generation + 1 }, issuedAt);
    });
    if (!pair) throw endedSession();
    return pair;
  }

  /** Ends every session of the developer, everywhere, at once. */
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

  /** Who an access token speaks for, or null. The floor is read on every request, never cached (contract §3). */
  async resolve(ctx: RequestContext, payload: Readonly<Record<string, unknown>>): Promise<DeveloperIdentity | null> {
    const claims = this.accessTokens.checkClaims(ctx, payload);
    if (!claims || !isUuid(claims.sub)) return null;
    const holder = await this.developers.findSessionHolder(ctx, claims.sub);
    if (!holder || isBelowFloor(claims, holder.minIssuedAt)) return null;
    const { id: developerId, email, emailVerified } = holder.developer;
    return { kind: 'jwt', developerId, email, emailVerified };
  }

  /** Begins a session: a new family of refresh tokens, and its first pair. */
  async begin(tx: RequestContext, developer: Developer): Promise<TokenPair> {
    const issuedAt = await this.developers.issueTime(tx, developer.id);
    const familyId = newId();
    const createdAt = new Date(issuedAt);
    const expiresAt = new Date(issuedAt + ABSOLUTE_DAYS * DAY_MS);
    const family = { id: familyId, developerId: developer.id, createdAt, expiresAt, revokedAt: null };
    await this.repository.insertFamily(tx, family);
    await this.audit.record(tx, {
      type: 'login.succeeded',
      organizationId: null,
      payload: { developer_id: developer.id },
    });
    return this.issuePair(tx, developer, { familyId, familyExpiresAt: expiresAt, generation: 0 }, issuedAt);
  }

  private async refuseReuse(tx: RequestContext, presented: PresentedToken): Promise<null> {
    if (presented.justReplaced) return null;
    await this.repository.revokeFamily(tx, presented.familyId);
    const payload = { developer_id: presented.developerId, family_id: presented.familyId };
    await this.audit.record(tx, { type: 'session.refresh_reuse', organizationId: null, payload });
    return null;
  }

  private async issuePair(
    tx: RequestContext,
    developer: { id: string; email: string },
    place: { familyId: string; familyExpiresAt: Date; generation: number },
    issuedAt: number,
  ): Promise<TokenPair> {
    const refreshToken = newToken('ag_ref_');
    const expiresAt = new Date(Math.min(issuedAt + IDLE_DAYS * DAY_MS, place.familyExpiresAt.getTime()));
    const { familyId, generation } = place;
    await this.repository.insertToken(tx, {
      digest: digestOf(refreshToken),
      familyId,
      generation,
      expiresAt,
      usedAt: null,
    });
    return { token: this.accessTokens.issue(developer, issuedAt), refreshToken };
  }
}

const isBelowFloor = (claims: AccessClaims, floor: Date): boolean => Math.round(claims.iat * 1000) < floor.getTime();

const endedSession = (): AppError => new AppError('unauthorized', { message: 'This session has ended. Log in again.' });
