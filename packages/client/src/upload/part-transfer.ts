import { ApiError } from '../api-error';
import { type ResumableUploadResponse } from '../generated';
import { type Gate } from './gate';
import { PartAddresses } from './part-addresses';
import { type PartSender } from './part-sender';
import { arrivedBytes, missingParts, type PartRange } from './parts';
import { isExpiredAddress, isTransient, type Retries, type Sleep } from './retries';
import { type SendingSlots } from './sending-slots';
import { type UploadApi } from './upload-api';

/** The reasons why parts are not sent at the moment. */
export type Hindrance = 'paused' | 'offline';

export interface PartTransferOptions {
  readonly api: UploadApi;
  readonly sender: PartSender;
  readonly slots: SendingSlots;
  readonly gate: Gate<Hindrance>;
  readonly sleep: Sleep;
  readonly newRetries: () => Retries;
  /** The maximum number of parts of this upload that are sent at the same time. Undefined: what the line carries. */
  readonly parallel: number | undefined;
  readonly signal: AbortSignal;
  /** Called whenever `sentBytes` or `underway` may have changed. */
  readonly changed: () => void;
}

/** The maximum number of parts that are sent at the same time, unless the caller sets another. */
export const DEFAULT_PARALLEL = 3;
/** Below this speed fewer parts are sent at the same time. */
const SLOW_BYTES_PER_SECOND = 2_000_000;
const PARALLEL_WHEN_SLOW = 2;

/** Sends the parts of one upload. When the gate closes, no further part starts; running parts continue. */
export class PartTransfer {
  private readonly sentOf = new Map<number, number>();
  private arrived = 0;

  constructor(private readonly options: PartTransferOptions) {}

  /** The bytes that the service has or that are being sent. Decreases when a part fails. */
  get sentBytes(): number {
    return [...this.sentOf.values()].reduce((sum, sent) => sum + sent, this.arrived);
  }

  /** Forgets the parts that have arrived. No part may be underway. */
  reset(): void {
    this.arrived = 0;
  }

  /** The number of parts that are being sent. */
  get underway(): number {
    return this.sentOf.size;
  }

  /** Sends the parts that the service lacks. @throws the first error, after the running parts have arrived or failed. */
  async sendMissing(upload: ResumableUploadResponse): Promise<void> {
    this.arrived = arrivedBytes(upload);
    this.options.changed();
    const queue = missingParts(upload);
    const numbers = queue.map(({ number }) => number);
    const addresses = new PartAddresses(this.options.api, upload.id, numbers);
    const errors: unknown[] = [];
    const send = async (part: PartRange | undefined): Promise<void> => {
      if (part) await this.sendPart(addresses, part).catch((error: unknown) => errors.push(error));
    };
    const work = async (): Promise<void> => {
      while (queue.length > 0 && errors.length === 0) await send(queue.shift());
    };
    const parallel = this.options.parallel ?? (await this.measured(queue, send));
    await Promise.all(Array.from({ length: parallel }, work));
    if (errors.length > 0) throw errors[0] as Error;
  }

  /**
   * Sends the first part alone, so that an early interruption loses little, and returns the number of parts that the line carries at the
   * same time: what is underway when a page is reloaded must be sent again.
   */
  private async measured(queue: PartRange[], send: (part: PartRange | undefined) => Promise<void>): Promise<number> {
    const [first] = queue;
    const startedAt = performance.now();
    await send(queue.shift());
    const bytesPerSecond = first ? (first.end - first.start) / ((performance.now() - startedAt) / 1000) : 0;
    return bytesPerSecond < SLOW_BYTES_PER_SECOND ? PARALLEL_WHEN_SLOW : DEFAULT_PARALLEL;
  }

  private async sendPart(addresses: PartAddresses, part: PartRange): Promise<void> {
    const { gate, sleep, signal, newRetries } = this.options;
    const pauseBeforeRetry = newRetries();
    for (;;) {
      const error = await this.inTurn(addresses, () => this.trySending(addresses, part));
      if (!error) return;
      if (isExpiredAddress(error)) addresses.forget(part.number);
      // A failure without a network does not count against the part.
      if (gate.isClosedBy('offline')) continue;
      const pause = pauseBeforeRetry(error);
      if (pause === null) throw error;
      if (pause > 0) await sleep(pause, signal);
    }
  }

  /** Does the work while the gate is open and a slot is free. */
  private async inTurn<Result>(addresses: PartAddresses, work: () => Promise<Result>): Promise<Result> {
    const { gate, slots, signal } = this.options;
    for (;;) {
      // While the upload was paused, another client may have completed or dropped it. Only a request for new addresses shows that.
      if (!gate.isOpen) addresses.forgetAll();
      await gate.passed(signal);
      const release = await slots.acquire(signal);
      try {
        if (gate.isOpen) return await work();
      } finally {
        release();
      }
    }
  }

  /**
   * Null when the part has arrived; otherwise the error of its transfer, or a transient error of the request for its address.
   * @throws every other error.
   */
  private async trySending(addresses: PartAddresses, { number, start, end }: PartRange): Promise<ApiError | null> {
    const { sender, signal, changed } = this.options;
    let url;
    try {
      url = await addresses.of(number, signal);
    } catch (error) {
      if (error instanceof ApiError && isTransient(error)) return error;
      throw error;
    }
    const report = (sent: number): void => {
      this.sentOf.set(number, Math.min(sent, end - start));
      changed();
    };
    report(0);
    try {
      const error = await sender.send({ url, start, end, signal, onProgress: report });
      if (!error) this.arrived += end - start;
      return error;
    } finally {
      this.sentOf.delete(number);
      changed();
    }
  }
}
