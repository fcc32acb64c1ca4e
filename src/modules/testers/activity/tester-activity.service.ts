import { Injectable, type OnModuleInit } from '@nestjs/common';
import { maySeeTesterData } from '#kernel/access/policy';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { DownloadLogService, type TesterDownload } from '#modules/builds';
import { type TesterWithActivity, type TesterWithSubscriptions } from '../tester';
import { type TesterFilter, TesterViews } from '../tester-views';
import { TestersService } from '../testers.service';
import { TesterFillRepository } from './tester-fill.repository';

/** The activity of testers: whether they were mailed, opened a link, and which build they have. */
@Injectable()
export class TesterActivityService implements OnModuleInit {
  constructor(
    private readonly repository: TesterFillRepository,
    private readonly views: TesterViews,
    private readonly testers: TestersService,
    private readonly downloads: DownloadLogService,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('testers.fill-activity', '*/10 * * * *', (ctx) => this.fill(ctx));
  }

  /**
   * One page of testers, newest first.
   * @throws AppError insufficient_role for a filter by activity below MANAGE_TESTERS; not_found for the adoption of a release or build that
   * does not exist.
   */
  async list(
    ctx: RequestContext,
    scope: ProjectScope,
    filter: TesterFilter,
    request: PageRequest,
  ): Promise<Page<TesterWithActivity>> {
    if (isAboutActivity(filter) && !maySeeTesterData(ctx)) throw needsRole();
    const page = await this.testers.list(ctx, scope, filter, request);
    return { ...page, items: await this.addToAll(ctx, scope, page.items) };
  }

  /** Adds the activity to a tester, as far as the caller may see it. */
  async addTo(ctx: RequestContext, tester: TesterWithSubscriptions): Promise<TesterWithActivity> {
    const [added] = await this.addToAll(ctx, scopeOf(tester), [tester]);
    return added as TesterWithActivity;
  }

  /** The downloads through the links of a tester, newest first. @throws AppError not_found */
  async listDownloads(
    ctx: RequestContext,
    scope: ProjectScope,
    testerId: string,
    request: PageRequest,
  ): Promise<Page<TesterDownload>> {
    await this.testers.get(ctx, scope, testerId);
    return this.downloads.listOfTester(ctx, scope, testerId, request);
  }

  private async addToAll(
    ctx: RequestContext,
    scope: ProjectScope,
    testers: readonly TesterWithSubscriptions[],
  ): Promise<readonly TesterWithActivity[]> {
    if (!maySeeTesterData(ctx)) return testers.map((tester) => ({ ...tester, activity: null }));
    const ids = testers.map(({ id }) => id);
    const activities = await this.views.activities(ctx, scope, ids);
    return testers.map((tester) => ({ ...tester, activity: activities.get(tester.id) ?? null }));
  }

  private async fill(ctx: RequestContext): Promise<void> {
    let filled: number;
    do filled = await this.transactions.run(ctx, (tx) => this.repository.fillNext(tx));
    while (filled > 0);
  }
}

const isAboutActivity = ({ state, behind, adoption, hasNotCurrent }: TesterFilter): boolean =>
  [state, behind, adoption, hasNotCurrent].some((condition) => condition !== undefined);

const needsRole = (): AppError =>
  new AppError('insufficient_role', {
    message:
      'Filters by the activity of testers need the project role MANAGE_TESTERS. Leave out state, behind, adoption and has_not.',
    details: { required_role: 'MANAGE_TESTERS' },
  });
