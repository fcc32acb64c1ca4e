import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { canonicalId } from '#kernel/ids';
import { AppError } from '#kernel/errors/app-error';
import { DevelopersService } from '#modules/developers';
import { AuditFeedRepository } from './audit-feed.repository';
import {
  type AuditDay,
  boundsOf,
  dayOf,
  type EventFilter,
  type FeedQuery,
  KINDS_WITHOUT_ID,
  type RecordedEvent,
} from './recorded-event';

const PAGE_SIZE = 1_000;

/** The label of a developer after the deletion of their account. */
const ERASED = 'erased';

/** An id that no actor has. */
const NO_ACTOR = '00000000-0000-0000-0000-000000000000';

/** Reads the audit feed of an organization, one day per request. */
@Injectable()
export class AuditFeedService {
  constructor(
    private readonly repository: AuditFeedRepository,
    private readonly developers: DevelopersService,
  ) {}

  /**
   * Reads a day, by default today. Each page is a statement of its own, so a slow client holds no connection and a client that disconnects
   * leaves nothing open.
   * @throws AppError storage_backend_unavailable when the feed cannot be read; `pages` throws it too.
   */
  async day(ctx: RequestContext, query: FeedQuery, day = dayOf(ctx.clock.now())): Promise<AuditDay> {
    const { actor, ...rest } = query;
    const filter = actor === undefined ? rest : { ...rest, ...(await orUnavailable(this.actorFilter(ctx, actor))) };
    const { from, to } = boundsOf(day);
    const previous = await orUnavailable(this.repository.lastBefore(ctx, filter, from));
    const next = await orUnavailable(this.repository.firstFrom(ctx, filter, to));
    return {
      day,
      previousDay: previous && dayOf(previous),
      nextDay: next && dayOf(next),
      pages: this.pages(ctx, filter, from, to),
    };
  }

  /** An address without an account matches no event. So the filter does not reveal who has an account. */
  private async actorFilter(ctx: RequestContext, actor: string): Promise<Pick<EventFilter, 'actorId' | 'actorKind'>> {
    const actorKind = KINDS_WITHOUT_ID[actor];
    if (actorKind !== undefined) return { actorKind };
    if (!actor.includes('@')) return { actorId: canonicalId(actor) };
    return { actorId: (await this.developers.findIdByEmail(ctx, actor)) ?? NO_ACTOR };
  }

  private async *pages(
    ctx: RequestContext,
    filter: EventFilter,
    from: Date,
    to: Date,
  ): AsyncGenerator<readonly RecordedEvent[]> {
    let before: Date | RecordedEvent | undefined = to;
    while (before) {
      const page: RecordedEvent[] = await orUnavailable(this.repository.list(ctx, filter, { from, before }, PAGE_SIZE));
      yield await orUnavailable(this.withLabels(ctx, page));
      before = page.length === PAGE_SIZE ? page.at(-1) : undefined;
    }
  }

  /** The feed holds only the id of a developer. The current e-mail address is looked up, so it disappears with the account. */
  private async withLabels(ctx: RequestContext, events: readonly RecordedEvent[]): Promise<RecordedEvent[]> {
    const ids = new Set(events.flatMap((event) => (event.actorKind === 'developer' ? [event.actorId ?? ''] : [])));
    const developers = await this.developers.findMany(ctx, [...ids]);
    return events.map((event) =>
      event.actorKind === 'developer'
        ? { ...event, actorLabel: developers.get(event.actorId ?? '')?.email ?? ERASED }
        : event,
    );
  }
}

/** For the client, every error while reading the feed means: retry later. */
const orUnavailable = <T>(reading: Promise<T>): Promise<T> =>
  reading.catch((cause: unknown) => {
    throw new AppError('storage_backend_unavailable', {
      message: 'The audit feed cannot be read at the moment. Try again shortly.',
      cause,
    });
  });
