import { Injectable } from '@nestjs/common';
import { type OrganizationRole } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { type Language } from '#kernel/text/language';
import { Transactions } from '#infra/database/transactions';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { type RenderedMail } from '#infra/mail/render-mail';
import { DevelopersService } from '#modules/developers';
import { OrganizationsRepository } from '../organizations.repository';
import { MembersRepository } from './members.repository';

/** Mails the members of an organization who have certain roles. */
@Injectable()
export class OrganizationContactsService {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly members: MembersRepository,
    private readonly developers: DevelopersService,
    private readonly outbox: MailOutbox,
    private readonly transactions: Transactions,
  ) {}

  /** The name of an organization, for people outside it. Empty when it was deleted. */
  async nameOf(ctx: RequestContext, organizationId: string): Promise<string> {
    return (await this.organizations.findName(ctx, organizationId)) ?? '';
  }

  /**
   * Queues a mail to each member with one of the roles, all in one transaction, so that a job that is retried sends none twice. Queues
   * none when the organization was deleted.
   * @param render makes the mail from the organization's name and the language of the member's account.
   */
  mail(
    ctx: RequestContext,
    organizationId: string,
    roles: readonly OrganizationRole[],
    render: (organization: string, language: Language) => RenderedMail,
  ): Promise<void> {
    return this.transactions.run(ctx, async (tx) => {
      const organization = await this.organizations.findName(tx, organizationId);
      if (organization === null) return;
      const ids = await this.members.findWithRoles(tx, organizationId, roles);
      await this.mailEach(tx, ids, (language) => render(organization, language));
    });
  }

  /**
   * Queues a mail to each member with one of the organization roles, and to each other developer of a list, who are members, too. Each gets
   * one.
   * @param render makes the mail from the language of the member's account.
   */
  async mailAlso(
    tx: RequestContext,
    organizationId: string,
    { roles, developerIds }: { readonly roles: readonly OrganizationRole[]; readonly developerIds: readonly string[] },
    render: (language: Language) => RenderedMail,
  ): Promise<void> {
    const ids = await this.members.findWithRoles(tx, organizationId, roles);
    await this.mailEach(tx, [...new Set([...ids, ...developerIds])], render);
  }

  private async mailEach(
    tx: RequestContext,
    developerIds: readonly string[],
    render: (language: Language) => RenderedMail,
  ): Promise<void> {
    for (const { id, email, language } of (await this.developers.findMany(tx, developerIds)).values()) {
      const mail = { to: { address: email }, ...render(language) };
      await this.outbox.queue(tx, mail, { recipient: { kind: 'developer', id } });
    }
  }
}
