import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { loadTranslatedMail } from '#infra/mail/render-mail';
import { type BuildWithUrl } from '#modules/builds';
import { InstallLinksService } from '#modules/install-links';
import { ProjectsService } from '#modules/projects';
import { installMail, type InstallMailData, InviteLimitsService, TestersService } from '#modules/testers';

interface IncludedMailData {
  readonly appName: string | null;
  readonly version: string;
  readonly buildNumber: string | null;
}

const INCLUDED_MAIL = loadTranslatedMail<IncludedMailData & InstallMailData>(join(__dirname, 'included-mail'), {
  en: ({ appName, project, version }) => `${appName ?? project} ${version} now runs on your device`,
  de: ({ appName, project, version }) => `${appName ?? project} ${version} läuft jetzt auf Ihrem Gerät`,
});

/** Mails testers whose device is in the profile of a new build and was in none before. */
@Injectable()
export class IncludedMailsService {
  constructor(
    private readonly testers: TestersService,
    private readonly limits: InviteLimitsService,
    private readonly projects: ProjectsService,
    private readonly installLinks: InstallLinksService,
    private readonly outbox: MailOutbox,
  ) {}

  /** Queues a mail to a tester. Does nothing when the tester may not be mailed. */
  async queue(tx: RequestContext, scope: ProjectScope, testerId: string, build: BuildWithUrl): Promise<void> {
    const runAt = await this.takeOne(tx, scope, testerId);
    if (runAt === undefined) return;
    const tester = await this.testers.get(tx, scope, testerId);
    const { name: project, language } = await this.projects.get(tx, scope);
    const links = {
      url: await this.installLinks.createForTester(tx, scope, testerId, { buildId: build.id }),
      unsubscribe: await this.installLinks.createForTester(tx, scope, testerId),
    };
    const { artifact, version, buildNumber } = build;
    const data = { tester, project, appName: artifact.name, version, buildNumber };
    const mail = await installMail(INCLUDED_MAIL[language], links, data);
    await this.outbox.queue(tx, mail, { recipient: { kind: 'tester', id: testerId }, ...(runAt && { runAt }) });
  }

  /** @returns when to send the mail, null for now, undefined for never. */
  private async takeOne(tx: RequestContext, scope: ProjectScope, testerId: string): Promise<Date | null | undefined> {
    try {
      return await this.limits.take(tx, scope, testerId, null);
    } catch (error) {
      // For example, the tester unsubscribed. Other testers are still mailed.
      if (error instanceof AppError && error.errorCase !== 'internal_error') return undefined;
      throw error;
    }
  }
}
