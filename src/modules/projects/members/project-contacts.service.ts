import { Injectable } from '@nestjs/common';
import { impliedProjectRole, ORGANIZATION_ROLES } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Language } from '#kernel/text/language';
import { type RenderedMail } from '#infra/mail/render-mail';
import { OrganizationContactsService } from '#modules/organizations';
import { ProjectMembersRepository } from './project-members.repository';

const MANAGER = 'MANAGE_PROJECT';
/** The organization roles that make their holders managers of every project. */
const MANAGER_ROLES = ORGANIZATION_ROLES.filter((role) => impliedProjectRole([role]) === MANAGER);

/** Mails the managers of a project: the members with the role MANAGE_PROJECT, own or implied by an organization role. */
@Injectable()
export class ProjectContactsService {
  constructor(
    private readonly members: ProjectMembersRepository,
    private readonly contacts: OrganizationContactsService,
  ) {}

  /**
   * Queues a mail to each manager in the caller's transaction.
   * @param render makes the mail from the language of the manager's account.
   */
  async mailManagers(
    tx: RequestContext,
    scope: ProjectScope,
    render: (language: Language) => RenderedMail,
  ): Promise<void> {
    const developerIds = await this.members.findWithRole(tx, scope, MANAGER);
    await this.contacts.mailAlso(tx, scope.organizationId, { roles: MANAGER_ROLES, developerIds }, render);
  }
}
