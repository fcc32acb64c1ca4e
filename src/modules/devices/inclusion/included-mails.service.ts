import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { translatedMail } from '#infra/mail/render-mail';
import { type BuildWithUrl } from '#modules/builds';
import { InstallLinksService } from '#modules/install-links';
import {
  greeting,
  type InstallMailData,
  InstallMailsService,
  installParts,
  InviteLimitsService,
  originOf,
  sharedNameOf,
  TestersService,
} from '#modules/testers';

const subjectOf = ({ apps: [first] }: InstallMailData): string =>
  first ? `${first.app.name} ${first.app.version}` : '';

export const INCLUDED_MAIL = translatedMail<InstallMailData>({
  en: (data) => ({
    subject: `${subjectOf(data)} now runs on your device`,
    eyebrow: originOf(data, null),
    title: 'Your device is included',
    paragraphs: [
      greeting(data),
      `This version of ${sharedNameOf(data)} is the first one that you can install on the device that you registered. ${data.names.organization} sends it to you.`,
      ...installParts(data, `You do not want to test ${data.names.project}?`),
    ],
    sentBy: data.names.organization,
  }),
  de: (data) => ({
    subject: `${subjectOf(data)} läuft jetzt auf Ihrem Gerät`,
    eyebrow: originOf(data, null),
    title: 'Ihr Gerät ist dabei',
    paragraphs: [
      greeting(data),
      `Diese Version von ${sharedNameOf(data)} ist die erste, die Sie auf dem Gerät installieren können, das Sie registriert haben. ${data.names.organization} schickt sie Ihnen.`,
      ...installParts(data, `Sie möchten ${data.names.project} nicht testen?`),
    ],
    sentBy: data.names.organization,
  }),
});

/** Mails testers whose device is in the profile of a new build and was in none before. */
@Injectable()
export class IncludedMailsService {
  constructor(
    private readonly testers: TestersService,
    private readonly limits: InviteLimitsService,
    private readonly mails: InstallMailsService,
    private readonly installLinks: InstallLinksService,
    private readonly outbox: MailOutbox,
  ) {}

  /** Queues a mail to a tester. Does nothing when the tester may not be mailed. */
  async queue(tx: RequestContext, scope: ProjectScope, testerId: string, build: BuildWithUrl): Promise<void> {
    const runAt = await this.takeOne(tx, scope, testerId, build.id);
    if (runAt === undefined) return;
    const tester = await this.testers.get(tx, scope, testerId);
    const names = await this.mails.names(tx, scope);
    const links = {
      url: await this.installLinks.createForTester(tx, scope, testerId, { buildId: build.id }),
      unsubscribe: await this.installLinks.createForTester(tx, scope, testerId),
    };
    const apps = [await this.mails.app(tx, build, names)];
    const mail = this.mails.compose(INCLUDED_MAIL, links, { tester, names, apps });
    await this.outbox.queue(tx, mail, { recipient: { kind: 'tester', id: testerId }, ...(runAt && { runAt }) });
  }

  /** @returns when to send the mail, null for now, undefined for never. */
  private async takeOne(
    tx: RequestContext,
    scope: ProjectScope,
    testerId: string,
    buildId: string,
  ): Promise<Date | null | undefined> {
    try {
      return await this.limits.take(tx, scope, testerId, { buildId, channelId: null });
    } catch (error) {
      // For example, the tester unsubscribed. Other testers are still mailed.
      if (error instanceof AppError && error.errorCase !== 'internal_error') return undefined;
      throw error;
    }
  }
}
