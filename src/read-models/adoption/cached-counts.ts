import { LRUCache } from 'lru-cache';
import { type RequestContext } from '#kernel/context/request-context';
import { type Counts } from './adoption.repository';

/** Numbers of more testers than this are cached for a while. */
const MANY_TESTERS = 20_000;
const MIN_CACHED_MS = 30_000;
/** The numbers of 100,000 testers take seconds. However many people look at them, they are counted a tenth of the time. */
const CACHED_PER_COUNTING = 9;
/** The maximum number of projects and builds whose numbers are cached, some hundred bytes per release. */
const MAX_CACHED = 500;

type CountsById = ReadonlyMap<string, Counts>;

/** Counts of testers. Concurrent requests for the same one share a count, and that of many testers is cached. */
export class CachedCounts {
  private readonly cached = new LRUCache<string, { readonly counts: CountsById; readonly until: number }>({
    max: MAX_CACHED,
  });
  private readonly running = new Map<string, Promise<CountsById>>();

  /**
   * The counts of a key: cached ones, those that another request is computing, or new ones. If that other request fails, as when its client
   * disconnects, this one counts.
   */
  async get(ctx: RequestContext, key: string, count: () => Promise<CountsById>): Promise<CountsById> {
    const cached = this.cached.get(key);
    if (cached && ctx.clock.now().getTime() < cached.until) return cached.counts;
    const running = this.running.get(key);
    return running ? running.catch(() => this.get(ctx, key, count)) : this.start(ctx, key, count);
  }

  private start(ctx: RequestContext, key: string, count: () => Promise<CountsById>): Promise<CountsById> {
    const at = ctx.clock.now().getTime();
    const counting = count()
      .then((counts) => {
        const testers = [...counts.values()].reduce((sum, each) => sum + each.testers + each.otherPlatforms, 0);
        const tookMs = ctx.clock.now().getTime() - at;
        const until = at + Math.max(MIN_CACHED_MS, (1 + CACHED_PER_COUNTING) * tookMs);
        if (testers > MANY_TESTERS) this.cached.set(key, { counts, until });
        return counts;
      })
      .finally(() => this.running.delete(key));
    this.running.set(key, counting);
    return counting;
  }
}
