import { Injectable } from '@nestjs/common';
import { digestOf } from '#kernel/access/token-format';
import { type RequestContext } from '#kernel/context/request-context';
import { emailKeyOf } from '#kernel/text/email-address';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { type DeveloperEntity } from '../developer.entity';
import { DevelopersRepository } from '../developers.repository';
import { DeveloperMailsService } from './mails/developer-mails.service';

/**
 * Changes e-mail addresses. A new address takes effect when the link that was mailed to it is used; the old one gets a
 * notice.
 */
@Injectable()
export class EmailChangeService {
  constructor(
    private readonly repository: DevelopersRepository,
    private readonly mails: DeveloperMailsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** Mails a link to the new address. An address that already has an account gets no mail; the caller cannot tell. */
  async request(ctx: RequestContext, developer: DeveloperEntity, newEmail: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      await this.repository.deleteUnusedLinks(tx, developer.id, 'change_email');
      const token = await this.repository.createLink(tx, developer.id, 'change_email', newEmail);
      if (await this.repository.findByEmail(tx, newEmail)) return;
      await this.mails.confirmNewEmail(tx, { ...developer, email: newEmail }, token);
    });
  }

  /** Uses the link. @returns false when the link is used, expired or unknown, or when its address has an account by now. */
  async confirm(ctx: RequestContext, developerId: string, token: string): Promise<boolean> {
    const digest = digestOf(token);
    return this.transactions.run(ctx, async (tx) => {
      const link = await this.repository.findLink(tx, digest, 'change_email');
      const developer = await this.repository.findById(tx, developerId);
      if (!developer || link?.developerId !== developerId || !link.newEmail) return false;
      if (await this.repository.findByEmail(tx, link.newEmail)) return false;
      if (!(await this.repository.consumeLink(tx, digest, 'change_email'))) return false;
      const change = { email: link.newEmail, emailKey: emailKeyOf(link.newEmail), emailVerifiedAt: tx.clock.now() };
      await this.repository.update(tx, developerId, change);
      await this.repository.raiseMinIssuedAt(tx, developerId);
      await this.repository.deleteCredentialLinks(tx, developerId);
      await this.repository.markVerificationLinksUsed(tx, developerId);
      await this.audit.record(tx, {
        type: 'developer.email_changed',
        organizationId: null,
        payload: { developer_id: developerId },
      });
      await this.mails.emailChanged(tx, developer);
      return true;
    });
  }
}
