import { type Clock } from './context/clock';

/** Caches one value. Concurrent callers share a single load. */
export class SingleFlightCache<T> {
  private loadedAt = Number.NEGATIVE_INFINITY;
  private isLoading = false;
  private current: Promise<T>;

  /** @param load loads the value. @param freshMs how long a value stays fresh, counted from the start of its load. */
  constructor(
    private readonly load: () => Promise<T>,
    private readonly freshMs: number,
    private readonly clock: Clock,
  ) {}

  /** Returns the cached value, or loads it when it is no longer fresh. A failed load is cached, too. */
  value(): Promise<T> {
    const now = this.clock.now().getTime();
    if (!this.isLoading && now - this.loadedAt >= this.freshMs) {
      this.loadedAt = now;
      this.current = this.refresh();
    }
    return this.current;
  }

  private async refresh(): Promise<T> {
    this.isLoading = true;
    try {
      return await this.load();
    } finally {
      this.isLoading = false;
    }
  }
}
