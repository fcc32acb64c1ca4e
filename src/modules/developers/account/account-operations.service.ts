import { Injectable } from '@nestjs/common';
import { type AuditEventType } from '#kernel/audit/audit-event';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { type DeveloperEntity } from '../developer.entity';
import { DevelopersRepository } from '../developers.repository';
import { DeveloperMailsService } from '../mailed-links/mails/developer-mails.service';
import { SecondFactorsRepository } from '../mfa/second-factors.repository';

/** Operators' changes to accounts: for an owner who lost the second factor, and against an attacker. */
@Injectable()
export class AccountOperationsService {
  constructor(
    private readonly repository: DevelopersRepository,
    private readonly factors: SecondFactorsRepository,
    private readonly mails: DeveloperMailsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** @param text the id or the e-mail address of a developer. @throws AppError not_found */
  async find(ctx: RequestContext, text: string): Promise<AccountState> {
    const developer = isUuid(text)
      ? await this.repository.findById(ctx, text.toLowerCase())
      : await this.repository.findByEmail(ctx, text);
    if (!developer) throw new AppError('not_found', { message: `There is no developer ${text}.` });
    const factor = await this.factors.find(ctx, developer.id);
    const { id, email, suspendedAt } = developer;
    return { id, email, suspendedAt, hasSecondFactor: factor !== null };
  }

  /** Removes the second factor and ends all sessions. The owner gets a mail. @throws AppError operation_not_allowed without a factor. */
  async resetSecondFactor(ctx: RequestContext, id: string): Promise<void> {
    await this.change(ctx, id, 'developer.mfa_reset', async (tx, developer) => {
      if (!(await this.factors.lock(tx, id))) throw rejected('This account has no second factor.');
      await this.factors.delete(tx, id);
      await this.repository.raiseMinIssuedAt(tx, id);
      await this.mails.secondFactorReset(tx, developer);
    });
  }

  /** Ends all sessions. Personal access tokens stay valid. */
  async signOut(ctx: RequestContext, id: string): Promise<void> {
    await this.change(ctx, id, 'developer.signed_out', (tx) => this.repository.raiseMinIssuedAt(tx, id));
  }

  /** Rejects all credentials of the account until `unsuspend`, and ends all sessions. @throws AppError operation_not_allowed */
  async suspend(ctx: RequestContext, id: string): Promise<void> {
    await this.change(ctx, id, 'developer.suspended', async (tx, { suspendedAt }) => {
      if (suspendedAt !== null) throw rejected('This account is already suspended.');
      await this.repository.update(tx, id, { suspendedAt: tx.clock.now() });
      await this.repository.raiseMinIssuedAt(tx, id);
    });
  }

  /** Accepts logins and personal access tokens again. @throws AppError operation_not_allowed when the account is not suspended. */
  async unsuspend(ctx: RequestContext, id: string): Promise<void> {
    await this.change(ctx, id, 'developer.unsuspended', async (tx, { suspendedAt }) => {
      if (suspendedAt === null) throw rejected('This account is not suspended.');
      await this.repository.update(tx, id, { suspendedAt: null });
    });
  }

  /** Locks the account, changes it and records the event. */
  private async change(
    ctx: RequestContext,
    id: string,
    type: AuditEventType,
    change: (tx: RequestContext, developer: DeveloperEntity) => Promise<void>,
  ): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const developer = await this.repository.lock(tx, id);
      if (!developer) throw AppError.notFound('developer');
      await change(tx, developer);
      await this.audit.record(tx, { type, organizationId: null, payload: { developer_id: id } });
    });
  }
}

/** An account as operators see it. */
export interface AccountState {
  readonly id: string;
  readonly email: string;
  /** Null when the account is not suspended. */
  readonly suspendedAt: Date | null;
  /** Whether there is a second factor, confirmed or not. */
  readonly hasSecondFactor: boolean;
}

const rejected = (message: string): AppError => new AppError('operation_not_allowed', { message });
