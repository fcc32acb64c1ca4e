import { Injectable } from '@nestjs/common';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { scopeOf } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { InstallLinksService } from '#modules/install-links';
import { ProjectsService } from '#modules/projects';
import { TestersRepository } from '../testers.repository';
import { contextOfTesterLink, requireTesterLink } from './tester-link';

/** A changed choice. An empty list stands for all platforms. */
export interface MailPlatformsChange {
  readonly project: string;
  readonly before: readonly Platform[];
  readonly after: readonly Platform[];
}

/** The testers' choice, through their own links, of the platforms for which they get release mails. */
@Injectable()
export class MailPlatformsService {
  constructor(
    private readonly installLinks: InstallLinksService,
    private readonly testers: TestersRepository,
    private readonly projects: ProjectsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /**
   * Replaces the choice of the link's tester. It can be repeated with the same link, because the choice replaces itself and the tester
   * must be able to undo it.
   * @param platforms none or all platforms stand for all, also for platforms that are added later.
   * @throws AppError not_found
   */
  async choose(ctx: RequestContext, token: string, platforms: readonly Platform[]): Promise<MailPlatformsChange> {
    const link = await requireTesterLink(this.installLinks, ctx, token);
    const scope = scopeOf(link);
    const chosen = PLATFORMS.filter((platform) => platforms.includes(platform));
    const after = chosen.length === PLATFORMS.length ? [] : chosen;
    return this.transactions.run(contextOfTesterLink(ctx, link), async (tx) => {
      const { name: project } = await this.projects.get(tx, scope);
      const tester = await this.testers.lock(tx, scope, link.testerId);
      if (!tester) throw AppError.notFound('tester');
      const before = tester.mailPlatforms;
      if (before.join() === after.join()) return { project, before, after };
      await this.testers.setMailPlatforms(tx, scope, tester.id, after);
      const payload = { tester_id: tester.id, platforms: after.length === 0 ? PLATFORMS : after };
      await this.audit.record(tx, { type: 'tester.platforms_chosen', ...scope, payload });
      return { project, before, after };
    });
  }
}
