import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { BuildsService } from '#modules/builds';
import { ChannelsService } from '#modules/channels';
import { InstallLinksService } from '#modules/install-links';
import { ProjectsService } from '#modules/projects';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { loadMailTemplate } from '#infra/mail/render-mail';
import { type InstallMailData, installMail } from './install-mail';
import { SuppressionsRepository } from '../subscriptions/suppressions.repository';
import { type Tester } from '../tester';
import { suppressed, TestersService } from '../testers.service';

/** What an invite opens: one build, one channel, or, with neither, all that the tester is to see. */
export interface InviteTarget {
  readonly buildId: string | null;
  readonly channelId: string | null;
}

interface InviteMailData {
  readonly channel: string | null;
  readonly build: {
    readonly appName: string | null;
    readonly version: string;
    readonly buildNumber: string | null;
    readonly notes: string | null;
  } | null;
}

const INVITE = loadMailTemplate<InviteMailData & InstallMailData>(
  join(__dirname, 'invite-mail'),
  ({ project, build, channel }) => `Test ${[project, build?.version ?? channel].filter(Boolean).join(' ')}`,
);

/** What the mail says about what its link opens. */
@Injectable()
export class InviteContent {
  constructor(
    private readonly builds: BuildsService,
    private readonly channels: ChannelsService,
    private readonly projects: ProjectsService,
  ) {}

  /** @throws AppError not_found */
  async of(
    ctx: RequestContext,
    scope: ProjectScope,
    { buildId, channelId }: InviteTarget,
  ): Promise<InviteMailData & { readonly project: string }> {
    const { name: project } = await this.projects.get(ctx, scope);
    const channel = channelId === null ? null : (await this.channels.get(ctx, scope, channelId)).name;
    if (buildId === null) return { project, channel, build: null };
    const { artifact, version, buildNumber, notes } = await this.builds.get(ctx, scope, buildId);
    return { project, channel, build: { appName: artifact.name, version, buildNumber, notes } };
  }
}

const HOUR_SECONDS = 3600;

/** Links by mail, at somebody's request. */
@Injectable()
export class TesterInvitesService {
  constructor(
    private readonly testers: TestersService,
    private readonly suppressions: SuppressionsRepository,
    private readonly content: InviteContent,
    private readonly invites: InstallLinksService,
    private readonly outbox: MailOutbox,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /**
   * Mails a tester a link of their own; it is in nobody else's hands.
   * @throws AppError not_found; operation_not_allowed for somebody who left by themself; rate_limit_exceeded for somebody who
   * was sent many within the hour.
   */
  async invite(ctx: RequestContext, scope: ProjectScope, testerId: string, target: InviteTarget): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const tester = await this.testers.get(tx, scope, testerId);
      const data = await this.content.of(tx, scope, target);
      await this.requireWelcome(tx, scope, tester, target.channelId);
      // The way out has a link of its own: to use the other one must not close it.
      const links = {
        url: await this.invites.createForTester(tx, scope, testerId, target),
        unsubscribe: await this.invites.createForTester(tx, scope, testerId, { channelId: target.channelId }),
      };
      const recipient = { kind: 'tester', id: testerId } as const;
      await this.outbox.queue(tx, await installMail(INVITE, links, { ...data, tester }), { recipient });
      const payload = {
        tester_id: testerId,
        ...(target.buildId !== null && { build_id: target.buildId }),
        ...(target.channelId !== null && { channel_id: target.channelId }),
      };
      await this.audit.record(tx, { type: 'tester.invited', ...scopeOf(scope), payload });
    });
  }

  private async requireWelcome(
    tx: RequestContext,
    scope: ProjectScope,
    { id, email }: Tester,
    channelId: string | null,
  ): Promise<void> {
    const left = (await this.suppressions.find(tx, scope, [email]))(email);
    if (left.has(null) || (channelId !== null && left.has(channelId))) throw suppressed();
    if (!(await this.invites.hasManyLinks(tx, id))) return;
    throw new AppError('rate_limit_exceeded', {
      message: 'This tester was sent many links within the hour. Try again later.',
      retryAfterSeconds: HOUR_SECONDS,
      details: { retry_after_seconds: HOUR_SECONDS },
    });
  }
}
