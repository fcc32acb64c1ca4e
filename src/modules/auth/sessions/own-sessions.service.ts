import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type DeveloperIdentity } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { DevelopersService } from '#modules/developers';
import { type Session } from './session';
import { type SessionOwner, SessionsRepository } from './sessions.repository';
import { IDLE_DAYS, SessionsService } from './sessions.service';

/** Shows developers their sessions, and ends them one by one. */
@Injectable()
export class OwnSessionsService implements OnModuleInit {
  constructor(
    private readonly repository: SessionsRepository,
    private readonly sessions: SessionsService,
    private readonly developers: DevelopersService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('auth.prune-sessions', '23 4 * * *', (ctx) => this.repository.prune(ctx));
  }

  /** Lists the caller's sessions that can still be refreshed, newest first. */
  async list(ctx: RequestContext, request: PageRequest): Promise<Page<Session>> {
    return this.repository.list(ctx, await this.ownerIn(ctx), request);
  }

  /** Ends one of the caller's sessions. Its access token stops working immediately. @throws AppError not_found */
  async end(ctx: RequestContext, id: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      if (!(await this.endOne(tx, id))) throw AppError.notFound('session');
    });
  }

  /** Ends the session of the request, whose tokens stop working immediately. An access token that names no session ends all of them. */
  async endCurrent(ctx: RequestContext): Promise<void> {
    const id = currentSessionOf(ctx);
    if (id === null) return this.sessions.logOut(ctx);
    await this.transactions.run(ctx, (tx) => this.endOne(tx, id));
  }

  /** Ends all sessions of the caller but the present one. */
  async endOthers(ctx: RequestContext): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const owner = await this.ownerIn(tx);
      const sessions = await this.repository.revoke(tx, owner, { except: currentSessionOf(tx) });
      await this.audit.record(tx, {
        type: 'session.others_ended',
        organizationId: null,
        payload: { developer_id: owner.developerId, sessions },
      });
    });
  }

  /** False when the caller has no such session, or it has ended. */
  private async endOne(tx: RequestContext, id: string): Promise<boolean> {
    const owner = await this.ownerIn(tx);
    if ((await this.repository.revoke(tx, owner, { only: id })) === 0) return false;
    const payload = { developer_id: owner.developerId, session_id: id };
    await this.audit.record(tx, { type: 'session.ended', organizationId: null, payload });
    return true;
  }

  private async ownerIn(ctx: RequestContext): Promise<SessionOwner> {
    const { developerId } = ctx.identity as DeveloperIdentity;
    const holder = await this.developers.findSessionHolder(ctx, developerId);
    if (!holder) throw new AppError('unauthorized');
    return { developerId, minIssuedAt: holder.minIssuedAt, idleDays: IDLE_DAYS };
  }
}

/** The id of the session of the request; null for an access token that names none. */
export const currentSessionOf = ({ identity }: RequestContext): string | null =>
  identity.kind === 'jwt' ? (identity.sessionId ?? null) : null;
