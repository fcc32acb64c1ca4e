import { randomInt, timingSafeEqual } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { newId } from '#kernel/ids';
import { KeyedDigest } from '#infra/crypto/keyed-digest';
import { Transactions } from '#infra/database/transactions';
import { defineJob } from '#infra/jobs/job-kind';
import { Jobs } from '#infra/jobs/jobs';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { renderMail } from '#infra/mail/render-mail';
import { type LinkRule } from '#modules/install-links';
import { InstallMailsService, MailBudgetService, senderOf, TestersService } from '#modules/testers';
import { LINK_CODE_MAIL } from './link-code-mail';
import { type CodeOwner, LinkCodesRepository } from './link-codes.repository';

interface CodeRequest extends ProjectScope {
  readonly linkId: string;
  readonly email: string;
}

/** A job for each request, so that the response takes as long for an unknown address as for that of a tester. */
const CODE_REQUESTED = defineJob<CodeRequest>('install.link-code-requested', { maxAttempts: 3, jobClass: 'mail' });

/** The codes with which testers prove their addresses at links. */
@Injectable()
export class LinkCodesService implements OnModuleInit {
  constructor(
    private readonly repository: LinkCodesRepository,
    private readonly testers: TestersService,
    private readonly mails: InstallMailsService,
    private readonly budget: MailBudgetService,
    private readonly outbox: MailOutbox,
    private readonly digest: KeyedDigest,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.register(CODE_REQUESTED, (ctx, request) => this.mail(ctx, request));
    this.jobs.schedule('install.prune-link-codes', '23 * * * *', (ctx) => this.repository.prune(ctx));
  }

  /** Mails a code to an address, if it is that of a tester of the project. */
  async request(tx: RequestContext, { linkId, ...scope }: LinkRule, email: string): Promise<void> {
    await this.jobs.enqueue(tx, CODE_REQUESTED, { ...scopeOf(scope), linkId, email });
  }

  /**
   * An unknown address costs the same statements as that of a tester.
   * @returns the id of the tester whose code it is; null for a wrong code, one that has expired or was used, and an unknown address.
   */
  async spend(tx: RequestContext, { linkId, ...scope }: LinkRule, email: string, code: string): Promise<string | null> {
    const testerId = (await this.testers.findByEmail(tx, scopeOf(scope), email)) ?? newId();
    const owner = { ...scopeOf(scope), linkId, testerId };
    const stored = await this.repository.attempt(tx, owner);
    const given = this.digestOf(owner, code);
    if (stored === null || !timingSafeEqual(stored, given)) return null;
    return (await this.repository.spend(tx, owner, given)) ? testerId : null;
  }

  private async mail(ctx: RequestContext, { linkId, email, ...scope }: CodeRequest): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const testerId = await this.testers.findByEmail(tx, scope, email);
      if (testerId === null) return;
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const owner = { ...scopeOf(scope), linkId, testerId };
      // The present code stays valid when no mail may be sent, and a request beyond the maximum takes none from the budget.
      if (!(await this.repository.mayReplace(tx, owner))) return;
      if ((await this.budget.take(tx, scope.organizationId, 1)).granted === 0) return;
      if (!(await this.repository.replace(tx, owner, this.digestOf(owner, code)))) return;
      const { email: address, name } = await this.testers.get(tx, scope, testerId);
      const names = await this.mails.names(tx, scope);
      const draft = {
        to: { address, ...(name !== null && { name }) },
        senderName: senderOf(names),
        ...renderMail(LINK_CODE_MAIL[names.language], { names, code }),
      };
      await this.outbox.queue(tx, draft, { recipient: { kind: 'tester', id: testerId } });
    });
  }

  private digestOf({ linkId, testerId }: CodeOwner, code: string): Buffer {
    return this.digest.of('link_code', JSON.stringify([linkId, testerId, code]));
  }
}
