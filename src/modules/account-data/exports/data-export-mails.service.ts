import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { renderMail, translatedMail } from '#infra/mail/render-mail';
import { DevelopersService } from '#modules/developers';
import { type Subject } from '../subjects.service';
import { type DataExport } from './data-export';
import { DataExportLinks } from './data-export-archives';

interface DataExportMailData {
  /** The name of the organization; null for the data of the developer. */
  readonly organization: string | null;
  readonly url: string;
}

export const DATA_EXPORT_READY_MAIL = translatedMail<DataExportMailData>({
  en: ({ organization, url }) => ({
    subject: organization === null ? 'Agate: your data is ready' : `Agate: the data of ${organization} is ready`,
    title: organization === null ? 'Your data is ready' : `The data of ${organization} is ready`,
    paragraphs: [
      'You requested an export. It is a zip file of JSON files, without passwords and tokens.',
      { url, label: 'Download the export' },
      'The link works for 24 hours. It opens the data without a login, so do not forward this mail. If you did not request the export, change your password immediately.',
    ],
  }),
  de: ({ organization, url }) => ({
    subject:
      organization === null ? 'Agate: Ihre Daten sind bereit' : `Agate: Die Daten von ${organization} sind bereit`,
    title: organization === null ? 'Ihre Daten sind bereit' : `Die Daten von ${organization} sind bereit`,
    paragraphs: [
      'Sie haben einen Export angefordert. Er ist eine ZIP-Datei aus JSON-Dateien, ohne Passwörter und Tokens.',
      { url, label: 'Export herunterladen' },
      'Der Link funktioniert 24 Stunden lang. Er öffnet die Daten ohne Anmeldung, leiten Sie diese Mail also nicht weiter. Wenn Sie den Export nicht angefordert haben, ändern Sie sofort Ihr Passwort.',
    ],
  }),
});

export const DATA_EXPORT_FAILED_MAIL = translatedMail<Omit<DataExportMailData, 'url'>>({
  en: ({ organization }) => ({
    subject: organization === null ? 'Agate: your export failed' : `Agate: the export of ${organization} failed`,
    title: 'The export failed',
    paragraphs: [
      'The export that you requested could not be made. Request it again, or ask the operator of this service.',
    ],
  }),
  de: ({ organization }) => ({
    subject:
      organization === null
        ? 'Agate: Ihr Export ist fehlgeschlagen'
        : `Agate: Der Export von ${organization} ist fehlgeschlagen`,
    title: 'Der Export ist fehlgeschlagen',
    paragraphs: [
      'Der angeforderte Export konnte nicht erstellt werden. Fordern Sie ihn erneut an oder fragen Sie den Betreiber dieses Dienstes.',
    ],
  }),
});

/** Mails developers about the exports that they requested. */
@Injectable()
export class DataExportMailsService {
  constructor(
    private readonly developers: DevelopersService,
    private readonly outbox: MailOutbox,
    private readonly links: DataExportLinks,
  ) {}

  /** Queues the mail about an export that is ready or has failed. */
  async ended(tx: RequestContext, { id, state, requestedBy }: DataExport, subject: Subject): Promise<void> {
    const developer = (await this.developers.findMany(tx, [requestedBy])).get(requestedBy);
    if (!developer) return;
    const organization = subject.kind === 'organization' ? subject.label : null;
    const { language, email: address } = developer;
    const mail =
      state === 'ready'
        ? renderMail(DATA_EXPORT_READY_MAIL[language], { organization, url: this.links.urlOf(id) })
        : renderMail(DATA_EXPORT_FAILED_MAIL[language], { organization });
    await this.outbox.queue(tx, { to: { address }, ...mail }, { recipient: { kind: 'developer', id: requestedBy } });
  }
}
