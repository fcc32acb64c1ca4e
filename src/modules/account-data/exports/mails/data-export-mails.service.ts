import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { DevelopersService } from '#modules/developers';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { renderMail } from '#infra/mail/render-mail';
import { type Subject } from '../../subjects.service';
import { type DataExport } from '../data-export';
import { DataExportLinks } from '../archives/data-export-links';
import { DATA_EXPORT_FAILED_MAIL, DATA_EXPORT_READY_MAIL } from './data-export-mails';

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
