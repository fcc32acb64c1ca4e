import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { ActorLabelsService } from '../feed/actor-labels.service';
import { orUnavailable } from '../feed/or-unavailable';
import { dayOf, type Range, rangeOf, type RangeRequest } from '../feed/recorded-event';
import { AuditFacetsRepository } from './audit-facets.repository';

interface Counted {
  readonly count: number;
}

/** The values that the events of a range have in common, the most frequent first. */
export interface AuditFacets extends Range {
  readonly types: readonly (Counted & { readonly type: string })[];
  readonly actors: readonly (Counted & {
    readonly actorKind: string;
    readonly actorId: string | null;
    readonly actorLabel: string | null;
  })[];
  /** Newest first. */
  readonly days: readonly (Counted & { readonly day: string })[];
}

const DAY_MS = 86_400_000;
/** The longest range, in days, and the default. */
const MAX_DAYS = 31;
const MAX_ACTORS = 100;

/** Counts the types, actors and days of a range of the feed: the values that filters can offer. */
@Injectable()
export class AuditFacetsService {
  constructor(
    private readonly repository: AuditFacetsRepository,
    private readonly labels: ActorLabelsService,
  ) {}

  /** @throws AppError validation_error for a range of more than 31 days; storage_backend_unavailable when the feed cannot be read. */
  async count(
    ctx: RequestContext,
    filter: { readonly organizationId: string; readonly projectId?: string | undefined },
    request: RangeRequest,
  ): Promise<AuditFacets> {
    const range = this.rangeOf(ctx, request);
    const counts = await orUnavailable(this.repository.count(ctx, filter, range));
    const actors = counts.flatMap(({ actorKind, actorId, actorLabel, count }) =>
      actorKind === null ? [] : [{ actorKind, actorId, actorLabel, count }],
    );
    const days = counts.flatMap(({ day, count }) => (day === null ? [] : [{ day, count }]));
    return {
      ...range,
      types: counts.flatMap(({ type, count }) => (type === null ? [] : [{ type, count }])),
      actors: await orUnavailable(this.labels.of(ctx, actors.slice(0, MAX_ACTORS))),
      days: days.sort((a, b) => (a.day < b.day ? 1 : -1)),
    };
  }

  /** When a bound is absent, the range has 31 days. */
  private rangeOf(ctx: RequestContext, { from, to }: RangeRequest): Range {
    const now = ctx.clock.now();
    const end = rangeOf({ to: to ?? dayOf(now) }, now).to;
    const range = rangeOf(
      { from: from ?? new Date(end.getTime() - MAX_DAYS * DAY_MS).toISOString(), to: end.toISOString() },
      now,
    );
    if (range.to.getTime() - range.from.getTime() > MAX_DAYS * DAY_MS)
      throw AppError.validation([{ field: 'from', messages: [`from must be at most ${MAX_DAYS} days before to`] }]);
    return range;
  }
}
