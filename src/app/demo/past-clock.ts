import { Clock } from '#kernel/context/clock';
import { type RequestContext } from '#kernel/context/request-context';

const DAY_MS = 86_400_000;

/** A clock that is some days late, to make rows and audit events of the past with the services that requests use. */
class PastClock extends Clock {
  constructor(
    private readonly clock: Clock,
    private readonly days: number,
  ) {
    super();
  }

  now(): Date {
    return new Date(this.clock.now().getTime() - this.days * DAY_MS);
  }
}

/** The context of an act that happened some days ago; fractions are allowed. */
export const daysAgo = (ctx: RequestContext, days: number): RequestContext => ({
  ...ctx,
  clock: new PastClock(ctx.clock, days),
});
