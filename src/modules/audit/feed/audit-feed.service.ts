import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { DevelopersService } from '#modules/developers';
import { AuditFeedRepository } from './audit-feed.repository';
import { type AuditDay, dayOf, type EventFilter, type RecordedEvent, spanOf } from './recorded-event';

const PAGE_SIZE = 1_000;

/** Who stands in the feed for an account that is no more. */
export const ERASED = 'erased';

/** Reads the audit feed of an organization, a day at a time (contract §12). */
@Injectable()
export class AuditFeedService {
  constructor(
    private readonly repository: AuditFeedRepository,
    private readonly developers: DevelopersService,
  ) {}

  /**
   * A day, today without one. Pages are short statements of their own: nothing is held while a slow client reads, and
   * nothing is left behind by one that goes away.
   * @throws AppError storage_backend_unavailable whenever the feed cannot be read (specification §7 rule 5), also by `pages`.
   */
  async day(ctx: RequestContext, filter: EventFilter, day = dayOf(ctx.clock.now())): Promise<AuditDay> {
    const { from, to } = spanOf(day);
    const previous = await readable(this.repository.lastBefore(ctx, filter, from));
    const next = await readable(this.repository.firstFrom(ctx, filter, to));
    return {
      day,
      previousDay: previous && dayOf(previous),
      nextDay: next && dayOf(next),
      pages: this.pages(ctx, filter, from, to),
    };
  }

  private async *pages(
    ctx: RequestContext,
    filter: EventFilter,
    from: Date,
    to: Date,
  ): AsyncGenerator<readonly RecordedEvent[]> {
    let before: Date | RecordedEvent | undefined = to;
    while (before) {
      const page: RecordedEvent[] = await readable(this.repository.page(ctx, filter, { from, before }, PAGE_SIZE));
      yield await readable(this.named(ctx, page));
      before = page.length === PAGE_SIZE ? page.at(-1) : undefined;
    }
  }

  /** Developers stand in the feed by their id alone: their e-mail is looked up, and gone when they are. */
  private async named(ctx: RequestContext, events: readonly RecordedEvent[]): Promise<RecordedEvent[]> {
    const ids = new Set(events.flatMap((event) => (event.actorKind === 'developer' ? [event.actorId ?? ''] : [])));
    const developers = await this.developers.findMany(ctx, [...ids]);
    return events.map((event) =>
      event.actorKind === 'developer'
        ? { ...event, actorLabel: developers.get(event.actorId ?? '')?.email ?? ERASED }
        : event,
    );
  }
}

/** Whatever keeps the feed from being read is the same to a client: try again later. */
const readable = <T>(reading: Promise<T>): Promise<T> =>
  reading.catch((cause: unknown) => {
    throw new AppError('storage_backend_unavailable', {
      message: 'The audit feed cannot be read at the moment. Try again shortly.',
      cause,
    });
  });
