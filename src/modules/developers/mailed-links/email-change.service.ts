import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { emailKeyOf } from '#kernel/text/email-key';
import { digestOf, newLinkToken } from '#kernel/access/token-format';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { LINK_HOURS } from '../developer';
import { DeveloperMails } from './developer-mails';
import { type DeveloperEntity } from '../developer.entity';
import { DevelopersRepository } from '../developers.repository';

const HOUR_MS = 3_600_000;

/** A new e-mail address takes effect when the link that was sent to it is used; the old address is told (contract §4). */
@Injectable()
export class EmailChangeService {
  constructor(
    private readonly repository: DevelopersRepository,
    private readonly mails: DeveloperMails,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** Mails the new address; one that has an account already gets nothing, and the caller cannot tell. */
  async request(ctx: RequestContext, developer: DeveloperEntity, newEmail: string): Promise<void> {
    const token = newLinkToken();
    const now = ctx.clock.now();
    await this.transactions.run(ctx, async (tx) => {
      await this.repository.dropUnusedLinks(tx, developer.id, 'change_email');
      await this.repository.insertLink(tx, {
        digest: digestOf(token),
        developerId: developer.id,
        purpose: 'change_email',
        newEmail,
        createdAt: now,
        expiresAt: new Date(now.getTime() + LINK_HOURS.change_email * HOUR_MS),
        usedAt: null,
      });
      if (await this.repository.findByEmail(tx, newEmail)) return;
      await this.mails.confirmNewEmail(tx, { ...developer, email: newEmail }, token);
    });
  }

  /** Uses the link. False for one that is used, expired or made up, or whose address has an account by now. */
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
      await this.repository.raiseFloor(tx, developerId);
      await this.repository.dropCredentialLinks(tx, developerId);
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
