import { Injectable } from '@nestjs/common';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { PasswordHasher } from '#infra/crypto/password-hasher';
import { Transactions } from '#infra/database/transactions';
import { DeveloperMails } from '../mailed-links/developer-mails';
import { type DeveloperEntity } from '../developer.entity';
import { DevelopersRepository } from '../developers.repository';
import { DevelopersService } from '../developers.service';
import { EmailChangeService } from '../mailed-links/email-change.service';

/** What a developer does to their own account with their password in hand. */
@Injectable()
export class AccountService {
  constructor(
    private readonly repository: DevelopersRepository,
    private readonly developers: DevelopersService,
    private readonly emailChange: EmailChangeService,
    private readonly mails: DeveloperMails,
    private readonly passwords: PasswordHasher,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** Ends every session; personal access tokens survive (specification §5). */
  async changePassword(ctx: RequestContext, currentPassword: string, newPassword: string): Promise<void> {
    const developer = await this.requirePassword(ctx, currentPassword);
    const { id } = developer;
    const passwordHash = await this.passwords.hash(newPassword);
    await this.transactions.run(ctx, async (tx) => {
      await this.holdPassword(tx, developer);
      await this.repository.update(tx, id, { passwordHash });
      await this.repository.raiseFloor(tx, id);
      await this.repository.dropCredentialLinks(tx, id);
      await this.audit.record(tx, {
        type: 'developer.password_changed',
        organizationId: null,
        payload: { developer_id: id },
      });
      await this.mails.passwordChanged(tx, developer);
    });
  }

  /** Nothing changes until the link that is mailed to the new address is used. */
  async requestEmailChange(ctx: RequestContext, newEmail: string, password: string): Promise<void> {
    const developer = await this.requirePassword(ctx, password);
    await this.transactions.run(ctx, async (tx) => {
      await this.holdPassword(tx, developer);
      await this.emailChange.request(tx, developer, newEmail);
    });
  }

  /** @throws AppError operation_not_allowed while an organization would be left without an ADMIN. */
  async delete(ctx: RequestContext, password: string): Promise<void> {
    const developer = await this.requirePassword(ctx, password);
    await this.transactions.run(ctx, async (tx) => {
      await this.holdPassword(tx, developer);
      await this.developers.delete(tx, developer.id);
    });
  }

  /** The caller's account, if this is its password. */
  async requirePassword(ctx: RequestContext, password: string): Promise<DeveloperEntity> {
    const developer = await this.repository.findById(ctx, developerOf(ctx).developerId);
    if (!developer) throw new AppError('unauthorized');
    if (await this.passwords.matches(password, developer.passwordHash)) return developer;
    throw wrongPassword();
  }

  /** Locks an account whose password was right, and checks that it still is: another request may have changed it meanwhile. */
  async holdPassword(tx: RequestContext, developer: DeveloperEntity): Promise<void> {
    if (!(await this.repository.holdCredentials(tx, developer))) throw wrongPassword();
  }
}

const wrongPassword = (): AppError => AppError.invalidInput('wrong_password', 'This is not your password.');
