import { Injectable } from '@nestjs/common';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { knownTurn, PasswordHasher } from '#infra/crypto/password-hasher';
import { Transactions } from '#infra/database/transactions';
import { type DeveloperEntity } from '../developer.entity';
import { DevelopersRepository } from '../developers.repository';
import { DevelopersService } from '../developers.service';
import { EmailChangeService } from '../mailed-links/email-change.service';
import { DeveloperMailsService } from '../mailed-links/mails/developer-mails.service';

/** Changes of a developer's own account that need the current password. A wrong one is invalid_input. */
@Injectable()
export class AccountService {
  constructor(
    private readonly repository: DevelopersRepository,
    private readonly developers: DevelopersService,
    private readonly emailChange: EmailChangeService,
    private readonly mails: DeveloperMailsService,
    private readonly passwords: PasswordHasher,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** Changes the password and ends all sessions. Personal access tokens stay valid. */
  async changePassword(ctx: RequestContext, currentPassword: string, newPassword: string): Promise<void> {
    const developer = await this.requirePassword(ctx, currentPassword);
    const { id } = developer;
    const passwordHash = await this.passwords.hash(newPassword, knownTurn(id));
    await this.transactions.run(ctx, async (tx) => {
      await this.lockUnchanged(tx, developer);
      await this.repository.replacePassword(tx, id, { passwordHash });
      await this.audit.record(tx, {
        type: 'developer.password_changed',
        organizationId: null,
        payload: { developer_id: id },
      });
      await this.mails.passwordChanged(tx, developer);
    });
  }

  /** Mails a link to the new address. The address changes when the link is used. */
  async requestEmailChange(ctx: RequestContext, newEmail: string, password: string): Promise<void> {
    const developer = await this.requirePassword(ctx, password);
    await this.transactions.run(ctx, async (tx) => {
      await this.lockUnchanged(tx, developer);
      await this.emailChange.request(tx, developer, newEmail);
    });
  }

  /** @throws AppError operation_not_allowed when the developer is the last ADMIN of an organization. */
  async delete(ctx: RequestContext, password: string): Promise<void> {
    const developer = await this.requirePassword(ctx, password);
    await this.transactions.run(ctx, async (tx) => {
      await this.lockUnchanged(tx, developer);
      await this.developers.delete(tx, developer.id);
    });
  }

  /** Returns the caller's account. @throws AppError invalid_input when the password is wrong. */
  async requirePassword(ctx: RequestContext, password: string): Promise<DeveloperEntity> {
    const developer = await this.repository.findById(ctx, developerOf(ctx).developerId);
    if (!developer) throw new AppError('unauthorized');
    if (await this.passwords.matches(password, developer.passwordHash, knownTurn(developer.id))) return developer;
    throw wrongPassword();
  }

  /** Ends all sessions of the account, after a change of its credentials. */
  endSessions(tx: RequestContext, developerId: string): Promise<void> {
    return this.repository.raiseMinIssuedAt(tx, developerId);
  }

  /**
   * Locks the account until the transaction ends.
   * @throws AppError invalid_input when a concurrent request has changed the password or address since `requirePassword`.
   */
  async lockUnchanged(tx: RequestContext, developer: DeveloperEntity): Promise<void> {
    if (!(await this.repository.lockCredentials(tx, developer))) throw wrongPassword();
  }
}

const wrongPassword = (): AppError => AppError.invalidInput('wrong_password', 'The password is wrong.');
