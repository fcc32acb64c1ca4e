import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { ChannelsService } from '#modules/channels';
import { type AdoptionOf, type TesterAdoption } from '../activity/adoption';
import { TesterActivityService } from '../activity/tester-activity.service';
import { type TesterWithActivity } from '../tester';
import { type TesterFilter, TesterViews } from '../tester-views';

/** A tester with everything that an export says. */
export interface ExportedTester extends TesterWithActivity {
  /** The names of the channels that the tester is subscribed to. */
  readonly channels: readonly string[];
  readonly adoption: TesterAdoption | null;
}

const PAGE_SIZE = 1000;

/** Reads testers for an export. */
@Injectable()
export class TesterExportService {
  constructor(
    private readonly testers: TesterActivityService,
    private readonly views: TesterViews,
    private readonly channels: ChannelsService,
  ) {}

  /**
   * Iterates over every tester that meets the filter, newest first, reading a thousand at a time.
   * @param of the release or build whose steps are read, null for none.
   * @throws AppError not_found for the adoption of a release or build that does not exist.
   */
  async *all(
    ctx: RequestContext,
    scope: ProjectScope,
    filter: TesterFilter,
    of: AdoptionOf | null,
  ): AsyncGenerator<ExportedTester> {
    let cursor: string | undefined;
    do {
      const page = await this.testers.list(ctx, scope, filter, { limit: PAGE_SIZE, cursor });
      yield* await this.describe(ctx, scope, page.items, of);
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
  }

  private async describe(
    ctx: RequestContext,
    scope: ProjectScope,
    testers: readonly TesterWithActivity[],
    of: AdoptionOf | null,
  ): Promise<ExportedTester[]> {
    const ids = testers.map(({ id }) => id);
    const adoptions = await this.views.adoptions(ctx, scope, ids, of);
    const channelIds = new Set(testers.flatMap(({ subscriptions }) => subscriptions.subscribedTo));
    const channels = await this.channels.findMany(ctx, scope, [...channelIds]);
    return testers.map((tester) => ({
      ...tester,
      channels: tester.subscriptions.subscribedTo.flatMap((id) => channels.get(id)?.name ?? []),
      adoption: adoptions.get(tester.id) ?? null,
    }));
  }
}
