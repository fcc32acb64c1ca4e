import { Injectable } from '@nestjs/common';
import { type OrganizationRole } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { DevelopersService } from '#modules/developers';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { type RenderedMail } from '#infra/mail/render-mail';
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

  /**
   * Queues a mail to each member with one of the roles, in the caller's transaction.
   * @param render receives the organization's name.
   */
  async mail(
    tx: RequestContext,
    organizationId: string,
    roles: readonly OrganizationRole[],
    render: (organization: string) => RenderedMail,
  ): Promise<void> {
    const name = await this.organizations.findName(tx, organizationId);
    // The organization was deleted.
    if (name === null) return;
    const mail = render(name);
    const developers = await this.developers.findMany(tx, await this.members.findWithRoles(tx, organizationId, roles));
    for (const { id, email } of developers.values()) {
      await this.outbox.queue(tx, { to: { address: email }, ...mail }, { recipient: { kind: 'developer', id } });
    }
  }
}
