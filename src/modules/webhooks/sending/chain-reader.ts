import { type RecordedChange } from '#kernel/audit/change';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChangesRepository } from '#infra/audit/changes.repository';

/** The number of events that one statement reads. */
const SPAN = 200;

/** The events of an organization after a position. */
export interface Stretch {
  readonly changes: readonly RecordedChange[];
  /** The last position that was read. */
  readonly until: number;
}

/** Reads the chain of one organization ahead, so that a webhook with many events reads each of them once. */
export class ChainReader {
  private stretch: Stretch = { changes: [], until: 0 };
  private from = 0;

  constructor(
    private readonly changes: ChangesRepository,
    private readonly organizationId: string,
  ) {}

  async after(ctx: RequestContext, cursor: number, head: number): Promise<Stretch> {
    if (cursor < this.from || cursor >= this.stretch.until) await this.read(ctx, cursor, head);
    const { changes, until } = this.stretch;
    return { changes: changes.filter(({ position }) => position > cursor), until };
  }

  private async read(ctx: RequestContext, after: number, head: number): Promise<void> {
    const { organizationId } = this;
    const until = Math.min(after + SPAN, head);
    const found = await this.changes.within(ctx, [{ organizationId, after, until }]);
    this.from = after;
    this.stretch = { changes: found.get(organizationId) ?? [], until };
  }
}
