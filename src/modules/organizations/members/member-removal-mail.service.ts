import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { DevelopersService } from '#modules/developers';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { loadMailTemplate, renderMail } from '#infra/mail/render-mail';
import { type LeftToken, type MemberRemoval } from './member-removal';
import { MembersRepository } from './members.repository';
import { OrganizationsRepository } from '../organizations.repository';

/** The mail lists this many tokens and the number of the others, so that its size is bounded. */
const LISTED = 50;

interface RemovalMailData {
  readonly organization: string;
  readonly member: string;
  readonly revoked: boolean;
  readonly tokens: readonly LeftToken[];
  readonly more: number;
}

const REMOVAL_MAIL = loadMailTemplate<RemovalMailData>(join(__dirname, 'member-removal'), ({ member, revoked }) =>
  revoked ? `The project access tokens of ${member} were revoked` : `${member} left project access tokens behind`,
);

/** Mails the ADMIN members of an organization which project access tokens a removed member had created. */
@Injectable()
export class MemberRemovalMailService {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly members: MembersRepository,
    private readonly developers: DevelopersService,
    private readonly outbox: MailOutbox,
  ) {}

  async send(
    tx: RequestContext,
    { organizationId, developerId, revokeTokens }: MemberRemoval,
    tokens: readonly LeftToken[],
  ): Promise<void> {
    const organization = (await this.organizations.findName(tx, organizationId)) ?? '';
    const admins = await this.members.findWithRoles(tx, organizationId, ['ADMIN']);
    const developers = await this.developers.findMany(tx, [...admins, developerId]);
    const mail = renderMail(REMOVAL_MAIL, {
      organization,
      member: developers.get(developerId)?.email ?? developerId,
      revoked: revokeTokens,
      tokens: tokens.slice(0, LISTED),
      more: Math.max(0, tokens.length - LISTED),
    });
    for (const id of admins) {
      const address = developers.get(id)?.email;
      if (address) await this.outbox.queue(tx, { to: { address }, ...mail }, { recipient: { kind: 'developer', id } });
    }
  }
}
