import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { type FailedMail, MailOutbox } from '#infra/mail/mail-outbox';
import { TestersRepository } from '../testers.repository';

/**
 * Stops mails to testers whose address the mail server does not know, until a developer invites them again. Only the tester of the mail
 * is affected: testers with the same address in other projects are other rows, whose mails are tried for themselves.
 */
@Injectable()
export class BouncesService implements OnModuleInit {
  constructor(
    private readonly testers: TestersRepository,
    private readonly audit: AuditRecorder,
    private readonly outbox: MailOutbox,
  ) {}

  onModuleInit(): void {
    this.outbox.failures.add((tx, mail) => this.record(tx, mail));
  }

  private async record(tx: RequestContext, { recipient, invalidAddress }: FailedMail): Promise<void> {
    if (recipient.kind !== 'tester' || invalidAddress === null) return;
    const scope = await this.testers.recordBounce(tx, recipient.id, invalidAddress);
    if (!scope) return;
    const payload = { tester_id: recipient.id, code: invalidAddress };
    await this.audit.record(tx, { type: 'tester.bounced', ...scope, payload });
  }
}
