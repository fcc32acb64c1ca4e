import { Injectable } from '@nestjs/common';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#platform/audit/audit-recorder';
import { Passwords } from '#platform/crypto/passwords';
import { Transactions } from '#platform/database/transactions';
import { DeveloperMails } from './developer-mails';
import { type DeveloperEntity } from './developer.entity';
import { DevelopersRepository } from './developers.repository';
import { DevelopersService } from './developers.service';
import { EmailChangeService } from './email-change.service';

/** What a developer does to their own account with their password in hand. */
@Injectable()
export class AccountService {
  constructor(
    private readonly repository: DevelopersRepository,
    private readonly developers: DevelopersService,
    private readonly emailChange: EmailChangeService,
    private readonly mails: DeveloperMails,
    private readonly passwords: Passwords,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** Ends every session; personal access tokens survive (specification §5). */
  async changePassword(ctx: RequestContext, currentPassword: string, newPassword: string): Promise<void> {
    const { id } = await this.requirePassword(ctx, currentPassword);
    const passwordHash = await this.passwords.hash(newPassword);
    await this.transactions.run(ctx, async (tx) => {
      const developer = await this.require(tx, id);
      await this.repository.update(tx, id, { passwordHash });
      await this.repository.raiseFloor(tx, id);
      await this.repository.dropUnusedLinks(tx, id, 'reset_password');
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
    await this.emailChange.request(ctx, developer, newEmail);
  }

  /** @throws AppError operation_not_allowed while an organization would be left without an ADMIN. */
  async delete(ctx: RequestContext, password: string): Promise<void> {
    const { id } = await this.requirePassword(ctx, password);
    await this.transactions.run(ctx, (tx) => this.developers.delete(tx, id));
  }

  /** The caller's account, if this is its password. */
  async requirePassword(ctx: RequestContext, password: string): Promise<DeveloperEntity> {
    const developer = await this.require(ctx, developerOf(ctx).developerId);
    if (await this.passwords.matches(password, developer.passwordHash)) return developer;
    throw AppError.invalidInput('wrong_password', 'This is not your password.');
  }

  private async require(ctx: RequestContext, id: string): Promise<DeveloperEntity> {
    const developer = await this.repository.findById(ctx, id);
    if (!developer) throw new AppError('unauthorized');
    return developer;
  }
}
