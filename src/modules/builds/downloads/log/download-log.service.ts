import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page, type PageRequest } from '#kernel/cursor';
import { OwnerLabelsService } from '#modules/tokens';
import { BuildsService } from '../../catalogue/builds.service';
import { type BuildDownload, type TesterDownload } from './build-download';
import { DownloadViews } from './download-views';

/** Rows per query of an export. */
const BATCH = 1000;

/** The download log of a build: who downloaded it, when, and on which kind of device. */
@Injectable()
export class DownloadLogService {
  constructor(
    private readonly views: DownloadViews,
    private readonly builds: BuildsService,
    private readonly labels: OwnerLabelsService,
  ) {}

  /** One page, newest first. @throws AppError not_found when the build does not exist. */
  async list(
    ctx: RequestContext,
    scope: ProjectScope,
    buildId: string,
    request: PageRequest,
  ): Promise<Page<BuildDownload>> {
    await this.builds.get(ctx, scope, buildId);
    const page = await this.views.listOfBuild(ctx, scope, buildId, request);
    const labelled = await this.labels.read(
      ctx,
      scope,
      page.items.map(({ mintedBy }) => mintedBy),
    );
    return { ...page, items: page.items.map((each) => ({ ...each, mintedBy: labelled(each.mintedBy) })) };
  }

  /** The downloads through the links of a tester, newest first. The caller has checked that the tester exists. */
  listOfTester(
    ctx: RequestContext,
    scope: ProjectScope,
    testerId: string,
    request: PageRequest,
  ): Promise<Page<TesterDownload>> {
    return this.views.listOfTester(ctx, scope, testerId, request);
  }

  /** The whole log, newest first, read in batches. @throws AppError not_found before the first row. */
  async *all(ctx: RequestContext, scope: ProjectScope, buildId: string): AsyncGenerator<BuildDownload, void, void> {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: Page<BuildDownload> = await this.list(ctx, scope, buildId, { limit: BATCH, cursor });
      yield* page.items;
      cursor = page.nextCursor;
    }
  }
}
