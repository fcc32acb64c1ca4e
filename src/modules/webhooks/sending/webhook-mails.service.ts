import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { HttpConfig } from '#infra/config/config';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { type MailLink } from '#infra/mail/mail-parts';
import { renderMail, translatedMail } from '#infra/mail/render-mail';
import { AccessService } from '#modules/access';
import { DevelopersService } from '#modules/developers';
import { OrganizationContactsService } from '#modules/organizations';
import { type WebhookEntity } from '../endpoints/webhooks.repository';
import { type OffReason } from '../webhook';

interface TurnedOffMailData {
  readonly organization: string;
  readonly webhook: string;
  readonly host: string;
  readonly reason: OffReason;
  /** The webhook in the dashboard. Null on a service without one. */
  readonly url: string | null;
}

const REASONS_EN: Readonly<Record<OffReason, string>> = {
  failing: 'No message has been accepted for five days.',
  gone: 'The receiver responded that it is gone (410).',
  creator_lost_access: 'The member who created it may no longer read what it sends.',
  paused: 'A member paused it.',
};

const REASONS_DE: Readonly<Record<OffReason, string>> = {
  failing: 'Seit fünf Tagen wurde keine Nachricht angenommen.',
  gone: 'Der Empfänger hat geantwortet, dass es ihn nicht mehr gibt (410).',
  creator_lost_access: 'Das Mitglied, das ihn angelegt hat, darf nicht mehr lesen, was er sendet.',
  paused: 'Ein Mitglied hat ihn angehalten.',
};

const button = (url: string | null, label: string): readonly MailLink[] => (url === null ? [] : [{ url, label }]);

/** Informs that a webhook sends nothing any longer. */
export const WEBHOOK_OFF_MAIL = translatedMail<TurnedOffMailData>({
  en: ({ organization, webhook, host, reason, url }) => ({
    subject: `The webhook ${webhook} is off`,
    title: `The webhook ${webhook} of ${organization} is off`,
    paragraphs: [
      `It sends nothing to ${host} any longer. ${REASONS_EN[reason]}`,
      'What to do: check the receiver, then resume the webhook in the settings. It can continue where it stopped, or with the next event. If its creator left, an administrator who resumes it takes it over.',
      ...button(url, 'Open the webhook'),
    ],
  }),
  de: ({ organization, webhook, host, reason, url }) => ({
    subject: `Der Webhook ${webhook} ist ausgeschaltet`,
    title: `Der Webhook ${webhook} von ${organization} ist ausgeschaltet`,
    paragraphs: [
      `Er sendet nichts mehr an ${host}. ${REASONS_DE[reason]}`,
      'Was zu tun ist: Prüfen Sie den Empfänger und setzen Sie den Webhook in den Einstellungen fort. Er kann weitermachen, wo er stehen blieb, oder beim nächsten Ereignis. Wenn das Mitglied gegangen ist, das ihn angelegt hat, übernimmt ihn, wer ihn als Administrator fortsetzt.',
      ...button(url, 'Webhook öffnen'),
    ],
  }),
});

/** Mails the creator of a webhook and the ADMINs of its organization. */
@Injectable()
export class WebhookMailsService {
  constructor(
    private readonly contacts: OrganizationContactsService,
    private readonly access: AccessService,
    private readonly developers: DevelopersService,
    private readonly outbox: MailOutbox,
    private readonly http: HttpConfig,
  ) {}

  async turnedOff(tx: RequestContext, webhook: WebhookEntity, reason: OffReason): Promise<void> {
    const { organizationId, name, host } = webhook;
    const data = { webhook: name, host, reason, url: this.urlOf(webhook) };
    await this.contacts.mail(tx, organizationId, ['ADMIN'], (organization, language) =>
      renderMail(WEBHOOK_OFF_MAIL[language], { organization, ...data }),
    );
    // A developer who lost the access learns nothing more about the organization.
    if (reason !== 'creator_lost_access') await this.mailCreator(tx, webhook, data);
  }

  /** An ADMIN has a mail already. */
  private async mailCreator(
    tx: RequestContext,
    { createdBy, organizationId }: WebhookEntity,
    data: Omit<TurnedOffMailData, 'organization'>,
  ): Promise<void> {
    if (createdBy === null || (await this.access.isAdmin(tx, organizationId, createdBy))) return;
    const creator = (await this.developers.findMany(tx, [createdBy])).get(createdBy);
    if (!creator) return;
    const organization = await this.contacts.nameOf(tx, organizationId);
    const mail = renderMail(WEBHOOK_OFF_MAIL[creator.language], { organization, ...data });
    const recipient = { kind: 'developer', id: creator.id } as const;
    await this.outbox.queue(tx, { to: { address: creator.email }, ...mail }, { recipient });
  }

  private urlOf({ id, organizationId, projectId }: WebhookEntity): string | null {
    const { baseUrl, servesDashboard } = this.http;
    if (!servesDashboard) return null;
    const place = projectId === null ? '' : `/p/${projectId}`;
    return `${baseUrl}/o/${organizationId}${place}/settings/webhooks/${id}`;
  }
}
