import { ApiError, type EventResponse } from '@agate/client';
import { type QueryClient } from '@tanstack/react-query';
import { idsOf, isGone, LEAVING, refetchAfter } from '../../queries/changes';
import { changes } from '../../queries/client';
import { api, maySend } from '../../session/api';
import { refresh } from '../../session/refresh';
import { setReachable } from '../navigation/reachable';

/** Changes that arrive within this time cause one refetch. */
const COLLECT_MS = 250;
/** During many changes in a row, such as an import, data is refetched at most once per interval. */
const PAUSE_MS = 1_000;
/** A page of a list that is still not read after so many intervals is read from its beginning. */
const MOST_POSTPONED = 10;
/** The screen of an object that others deleted requests it again after this time. */
const GONE_MS = 1_000;
/** The first stream begins with the changes of this time, because data is read while it opens. */
const RECENT_SECONDS = 15;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

/**
 * The stream of changes of an organization. Refetches the data that a change affects, including changes by another person or a CI system.
 * Closed while the page is hidden, because browsers allow few connections to a service.
 */
export class LiveChanges {
  private source: EventSource | null = null;
  private collected: EventResponse[] = [];
  private readTimer: number | undefined;
  private retryTimer: number | undefined;
  private readAt = 0;
  private postponed = 0;
  private openRequestedAt = 0;
  private failures = 0;
  /** Whether changes may have been missed. */
  private hasGap = false;
  private isStopped = true;

  constructor(
    private readonly organizationId: string,
    private readonly queryClient: QueryClient,
  ) {}

  start(): void {
    this.isStopped = false;
    document.addEventListener('visibilitychange', this.follow);
    addEventListener('pagehide', this.close);
    addEventListener('pageshow', this.follow);
    addEventListener('online', this.retryNow);
    this.follow();
  }

  stop(): void {
    this.isStopped = true;
    document.removeEventListener('visibilitychange', this.follow);
    removeEventListener('pagehide', this.close);
    removeEventListener('pageshow', this.follow);
    removeEventListener('online', this.retryNow);
    this.close();
    clearTimeout(this.readTimer);
    setReachable(true);
  }

  private readonly follow = (): void => {
    if (document.visibilityState === 'visible') this.open();
    else this.close();
  };

  private readonly close = (): void => {
    clearTimeout(this.retryTimer);
    this.retryTimer = undefined;
    if (!this.source) return;
    this.source.close();
    this.source = null;
    this.setLive(false);
    this.hasGap = true;
  };

  private readonly retryNow = (): void => {
    if (this.retryTimer !== undefined) void this.retry();
  };

  private open(): void {
    if (this.isStopped || this.source || this.retryTimer !== undefined) return;
    this.openRequestedAt = Date.now();
    const path = `/api/v1/events?organization_id=${encodeURIComponent(this.organizationId)}`;
    const source = new EventSource(this.hasGap ? path : `${path}&recent_seconds=${RECENT_SECONDS}`);
    this.source = source;
    source.onopen = () => this.opened();
    source.onmessage = ({ data }: MessageEvent<string>) => this.collect(JSON.parse(data) as EventResponse);
    source.addEventListener('resync', () => void this.queryClient.invalidateQueries());
    source.addEventListener('closing', ({ data }: MessageEvent<string>) => {
      void this.closing(JSON.parse(data) as EventResponse);
    });
    // The browser's own retries have no growing pauses, and stop after a 401.
    source.onerror = () => this.retryLater();
  }

  private opened(): void {
    this.failures = 0;
    this.setLive(true);
    setReachable(true);
    // The server counts the seconds from when it reads the request, and data may have been read before. The other half allows for that.
    const isLate = Date.now() - this.openRequestedAt > (RECENT_SECONDS * 1_000) / 2;
    if (this.hasGap || isLate) void this.queryClient.invalidateQueries();
    this.hasGap = false;
  }

  /** A query computes its interval when a response arrives, so the running intervals are computed again here. */
  private setLive(areLive: boolean): void {
    changes.areLive = areLive;
    for (const { observers } of this.queryClient.getQueryCache().getAll()) {
      for (const observer of observers) observer.setOptions(observer.options);
    }
  }

  private async closing({ reason }: EventResponse): Promise<void> {
    if (reason !== 'credential') return this.retryLater();
    this.close();
    await maySend();
    if (await refresh().catch(() => false)) this.follow();
    else this.retryLater();
  }

  private retryLater(): void {
    this.close();
    if (this.isStopped || document.visibilityState !== 'visible') return;
    const pause = Math.min(FIRST_RETRY_MS * 2 ** this.failures, LAST_RETRY_MS);
    this.failures += 1;
    // Spreads the reconnections of all tabs after a restart of the service.
    this.retryTimer = window.setTimeout(() => void this.retry(), pause * (0.75 + Math.random() / 2));
  }

  /** An EventSource does not report why it failed. An ordinary request does, and it renews the session or detects its end. */
  private async retry(): Promise<void> {
    clearTimeout(this.retryTimer);
    try {
      await api.request('GET /developers/me');
    } catch (error) {
      this.retryTimer = undefined;
      const status = error instanceof ApiError ? error.status : 0;
      if (this.isStopped || status === 401) return;
      setReachable(status !== 0 && status < 500);
      return this.retryLater();
    }
    this.retryTimer = undefined;
    this.follow();
  }

  private collect(event: EventResponse): void {
    this.collected.push(event);
    if (isGone(event)) this.forgetLater(event);
    if (this.readTimer !== undefined) return;
    const pause = Math.max(COLLECT_MS, this.readAt + PAUSE_MS - Date.now());
    this.readTimer = window.setTimeout(() => this.read(), pause);
  }

  private get isLeaving(): boolean {
    return this.queryClient.isMutating({ mutationKey: LEAVING }) > 0;
  }

  /** Whether a list reads its next page, which a refetch would end. */
  private get isReadingOn(): boolean {
    return this.queryClient.isFetching({ predicate: ({ state }) => state.fetchMeta?.fetchMore !== undefined }) > 0;
  }

  private read(): void {
    const mayPostpone = this.postponed < MOST_POSTPONED && this.isReadingOn;
    this.postponed = mayPostpone ? this.postponed + 1 : 0;
    if (this.isLeaving || mayPostpone) {
      this.readTimer = window.setTimeout(() => this.read(), PAUSE_MS);
      return;
    }
    const events = this.collected.splice(0);
    this.readTimer = undefined;
    this.readAt = Date.now();
    void refetchAfter(this.queryClient, this.organizationId, events);
  }

  private forgetLater(event: EventResponse): void {
    setTimeout(() => this.forget(event), GONE_MS);
  }

  /** A deleted object is no longer shown: its screen refetches it and gets 404, unless an earlier refetch did. */
  private forget(event: EventResponse): void {
    if (this.isStopped) return;
    if (this.isLeaving) return this.forgetLater(event);
    const [gone] = idsOf(event).slice(-1);
    void this.queryClient.resetQueries({
      predicate: ({ queryKey, state: { error } }) =>
        queryKey[1] === gone && !(error instanceof ApiError && error.status === 404),
    });
  }
}
