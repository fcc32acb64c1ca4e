import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { decodeCursor, type ListName, pageOf, type PageRequest } from '#kernel/cursor';
import { canonicalId } from '#kernel/ids';
import { DevelopersService } from '#modules/developers';
import { ActorLabelsService } from './actor-labels.service';
import { AuditFeedRepository } from './audit-feed.repository';
import { AuditSubjectViews, subjectIdsOf } from './audit-subject-views';
import { orUnavailable } from './or-unavailable';
import {
  type AuditDay,
  dayOf,
  type EventFilter,
  type FeedQuery,
  KINDS_WITHOUT_ID,
  type NamedEvent,
  type Range,
  rangeOf,
  type RangeRequest,
  type RecordedEvent,
} from './recorded-event';

const PAGE_SIZE = 1_000;
/** Events per page when a cursor comes without a limit. */
const DEFAULT_PAGE_SIZE = 100;

/** An id that no actor has. */
const NO_ACTOR = '00000000-0000-0000-0000-000000000000';

/** Reads the audit feed of an organization, one day or range per request. */
@Injectable()
export class AuditFeedService {
  constructor(
    private readonly repository: AuditFeedRepository,
    private readonly developers: DevelopersService,
    private readonly labels: ActorLabelsService,
    private readonly subjects: AuditSubjectViews,
  ) {}

  /**
   * Reads a day or range, by default today. Each page is read by a separate statement, so a slow client holds no connection and a client
   * that disconnects leaves nothing open.
   * @param request with a limit or a valid cursor, one page of the events; otherwise all of them.
   * @throws AppError validation_error for a malformed range; storage_backend_unavailable when the feed cannot be read; `pages` throws it
   * too.
   */
  async day(
    ctx: RequestContext,
    query: FeedQuery,
    request: RangeRequest & Partial<PageRequest> = {},
  ): Promise<AuditDay> {
    const now = ctx.clock.now();
    const range = rangeOf(request, now);
    const filter = await this.filterOf(ctx, query);
    const { previous, next } = await orUnavailable(this.repository.neighbours(ctx, filter, range));
    const last = new Date(Math.max(range.to.getTime() - 1, range.from.getTime()));
    return {
      day: dayOf(request.day === undefined && last > now ? now : last),
      previousDay: previous && dayOf(previous),
      nextDay: next && dayOf(next),
      ...(await this.pageOrAll(ctx, filter, range, request)),
    };
  }

  /** All events of a day or range, newest first, without the names of what they are about. @throws like `day` */
  async *events(ctx: RequestContext, query: FeedQuery, request: RangeRequest): AsyncGenerator<RecordedEvent> {
    const filter = await this.filterOf(ctx, query);
    for await (const page of this.pages(ctx, filter, rangeOf(request, ctx.clock.now())))
      yield* await orUnavailable(this.labels.of(ctx, page));
  }

  private async pageOrAll(
    ctx: RequestContext,
    filter: EventFilter,
    range: Range,
    { limit, cursor }: Partial<PageRequest>,
  ): Promise<Pick<AuditDay, 'pages' | 'nextCursor'>> {
    const list: ListName = `audit|${filter.organizationId}`;
    const id = decodeCursor(cursor, list);
    const start = id === null ? null : await orUnavailable(this.repository.positionOf(ctx, filter, range, id));
    if (limit === undefined && !start) return { pages: this.namedPages(ctx, filter, range) };
    const size = limit ?? DEFAULT_PAGE_SIZE;
    const from = { from: range.from, before: start ?? range.to };
    const page = pageOf(await orUnavailable(this.repository.list(ctx, filter, from, size + 1)), size, list);
    const items = await orUnavailable(this.named(ctx, filter, page.items));
    return { pages: onePage(items), nextCursor: page.nextCursor };
  }

  private async named(
    ctx: RequestContext,
    { organizationId }: EventFilter,
    events: readonly RecordedEvent[],
  ): Promise<readonly NamedEvent[]> {
    const names = await this.subjects.labelsOf(ctx, organizationId, events);
    const labelled = await this.labels.of(ctx, events);
    return labelled.map((event) => {
      const [subject] = subjectIdsOf(event);
      return { ...event, subjectLabel: names.get(subject ?? '') ?? null };
    });
  }

  private async filterOf(ctx: RequestContext, { actor, ...rest }: FeedQuery): Promise<EventFilter> {
    return actor === undefined ? rest : { ...rest, ...(await orUnavailable(this.actorFilter(ctx, actor))) };
  }

  /** An address without an account matches no event. So the filter does not reveal who has an account. */
  private async actorFilter(ctx: RequestContext, actor: string): Promise<Pick<EventFilter, 'actorId' | 'actorKind'>> {
    const actorKind = KINDS_WITHOUT_ID[actor];
    if (actorKind !== undefined) return { actorKind };
    if (!actor.includes('@')) return { actorId: canonicalId(actor) };
    return { actorId: (await this.developers.findIdByEmail(ctx, actor)) ?? NO_ACTOR };
  }

  private async *namedPages(
    ctx: RequestContext,
    filter: EventFilter,
    range: Range,
  ): AsyncGenerator<readonly NamedEvent[]> {
    for await (const page of this.pages(ctx, filter, range)) yield await orUnavailable(this.named(ctx, filter, page));
  }

  private async *pages(
    ctx: RequestContext,
    filter: EventFilter,
    { from, to }: Range,
  ): AsyncGenerator<readonly RecordedEvent[]> {
    let before: Date | RecordedEvent | undefined = to;
    while (before) {
      const page: RecordedEvent[] = await orUnavailable(this.repository.list(ctx, filter, { from, before }, PAGE_SIZE));
      yield page;
      before = page.length === PAGE_SIZE ? page.at(-1) : undefined;
    }
  }
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* onePage<T>(page: readonly T[]): AsyncGenerator<readonly T[]> {
  yield page;
}
