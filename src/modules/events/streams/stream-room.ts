import { AppError } from '#kernel/errors/app-error';

/** The maximum number of streams of one developer in one process. */
const MAX_PER_ACCOUNT = 10;
/** The maximum number of streams of one process. */
export const MAX_STREAMS = 1_000;

/** A stream, by the groups that share the room. */
export interface Occupant {
  readonly account: string | null;
  readonly organizationId: string;
  /** The wider network of the client. */
  readonly network: string;
}

/**
 * Decides whether a stream may open. In a full process it takes the place of a stream of the developer with the most, or of the network or
 * organization with more than half of all, so that neither a group of accounts nor a large organization can exclude the others.
 * @param open the oldest first.
 * @returns the stream that must end first; null when there is room.
 * @throws AppError rate_limit_exceeded when the developer has too many streams, or all have at most their share.
 */
export function placeFor<Open extends Occupant>(newcomer: Occupant, open: readonly Open[]): Open | null {
  const ofAccount = open.filter(({ account }) => account === newcomer.account).length;
  if (ofAccount >= MAX_PER_ACCOUNT)
    throw rejected(`You have ${MAX_PER_ACCOUNT} event streams open, which is the limit. Close one first.`);
  if (open.length < MAX_STREAMS) return null;
  // With one stream less the developer still has as many as the newcomer, so that two of them cannot displace each other in turns.
  const displaced =
    newestOfLargest(open, 'account', ofAccount + 1) ??
    newestOfLargest(
      open.filter(({ network }) => network !== newcomer.network),
      'network',
      MAX_STREAMS / 2,
    ) ??
    newestOfLargest(
      open.filter(({ organizationId }) => organizationId !== newcomer.organizationId),
      'organizationId',
      MAX_STREAMS / 2,
    );
  if (displaced) return displaced;
  throw rejected('Too many event streams are open. Wait for the seconds in Retry-After, then retry.');
}

/** The newest stream of the largest group; undefined when no group has more than `share` streams. */
function newestOfLargest<Open extends Occupant>(
  open: readonly Open[],
  by: keyof Occupant,
  share: number,
): Open | undefined {
  const counts = new Map<string | null, number>();
  for (const each of open) counts.set(each[by], (counts.get(each[by]) ?? 0) + 1);
  const [largest] = [...counts].sort(([, a], [, b]) => b - a);
  if (!largest || largest[1] <= share) return undefined;
  return open.findLast((each) => each[by] === largest[0]);
}

const rejected = (message: string): AppError => new AppError('rate_limit_exceeded', { message, retryAfterSeconds: 15 });
