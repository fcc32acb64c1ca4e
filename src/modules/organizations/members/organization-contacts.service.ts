import { Injectable } from '@nestjs/common';
import { type OrganizationRole } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { DevelopersService } from '#modules/developers';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { renderMail, type TranslatedMail } from '#infra/mail/render-mail';
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
  ) {}

  /** Queues a mail to each member with one of the roles, in the language of their account, in the caller's transaction. */
  async mail<Data extends { readonly organization: string }>(
    tx: RequestContext,
    organizationId: string,
    roles: readonly OrganizationRole[],
    mail: TranslatedMail<Data>,
    data: Omit<Data, 'organization'>,
  ): Promise<void> {
    const organization = await this.organizations.findName(tx, organizationId);
    // The organization was deleted.
    if (organization === null) return;
    const developers = await this.developers.findMany(tx, await this.members.findWithRoles(tx, organizationId, roles));
    for (const { id, email, language } of developers.values()) {
      const rendered = renderMail(mail[language], { ...data, organization } as unknown as Data);
      await this.outbox.queue(tx, { to: { address: email }, ...rendered }, { recipient: { kind: 'developer', id } });
    }
  }
}
