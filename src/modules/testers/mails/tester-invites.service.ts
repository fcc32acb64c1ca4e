import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { BuildsService } from '#modules/builds';
import { ChannelsService } from '#modules/channels';
import { InstallLinksService } from '#modules/install-links';
import { TestersService } from '../testers.service';
import { type InstallMailData } from './install-mail';
import { InstallMailsService } from './install-mails.service';
import { InviteLimitsService } from './invite-limits.service';
import { INVITE_MAIL, type InviteMailData } from './invite-mail';
import { type InviteTarget } from './invite-target';

/** What the mail of an invitation shows. */
export type InviteContent = InviteMailData & Pick<InstallMailData, 'names' | 'apps'>;

/** Mails install links to testers on request. */
@Injectable()
export class TesterInvitesService {
  constructor(
    private readonly testers: TestersService,
    private readonly limits: InviteLimitsService,
    private readonly builds: BuildsService,
    private readonly channels: ChannelsService,
    private readonly mails: InstallMailsService,
    private readonly installLinks: InstallLinksService,
    private readonly outbox: MailOutbox,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /**
   * Mails a tester a personal link.
   * @throws AppError not_found; operation_not_allowed when the tester unsubscribed, or opened none of the first mails;
   * rate_limit_exceeded when the tester got the maximum of links within the last hour.
   */
  async invite(ctx: RequestContext, scope: ProjectScope, testerId: string, target: InviteTarget): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const content = await this.readContent(tx, scope, target);
      await this.inviteTo(tx, scope, testerId, { ...target, content });
    });
  }

  /** Like `invite`, with the content of the mail, which several testers share. */
  async inviteTo(
    ctx: RequestContext,
    scope: ProjectScope,
    testerId: string,
    { content: data, ...target }: InviteTarget & { readonly content: InviteContent },
  ): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const tester = await this.testers.get(tx, scope, testerId);
      const runAt = await this.limits.take(tx, scope, testerId, target);
      // Unsubscribing has its own link, because a link makes only one change.
      const links = {
        url: await this.installLinks.createForTester(tx, scope, testerId, target),
        unsubscribe: await this.installLinks.createForTester(tx, scope, testerId, { channelId: target.channelId }),
      };
      const { channelId } = target;
      const recipient = { kind: 'tester', id: testerId, ...(channelId !== null && { channelId }) } as const;
      const mail = this.mails.compose(INVITE_MAIL, links, { ...data, tester });
      await this.outbox.queue(tx, mail, { recipient, ...(runAt && { runAt }) });
      const payload = {
        tester_id: testerId,
        ...(target.buildId !== null && { build_id: target.buildId }),
        ...(target.channelId !== null && { channel_id: target.channelId }),
      };
      await this.audit.record(tx, { type: 'tester.invited', ...scopeOf(scope), payload });
    });
  }

  /** What the mail shows. A build that it names is not deleted until the transaction ends. @throws AppError not_found */
  async readContent(
    tx: RequestContext,
    scope: ProjectScope,
    { buildId, channelId }: InviteTarget,
  ): Promise<InviteContent> {
    const names = await this.mails.names(tx, scope);
    const channel = channelId === null ? null : (await this.channels.get(tx, scope, channelId)).name;
    if (buildId === null) return { names, channel, apps: [] };
    await this.builds.hold(tx, scope, buildId);
    const build = await this.builds.get(tx, scope, buildId);
    return { names, channel, apps: [await this.mails.app(tx, build, names, { notes: build.notes })] };
  }
}
