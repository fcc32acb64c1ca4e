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
  /** The maximum number of parts of this upload that are sent at the same time. */
  readonly parallel: number;
  readonly signal: AbortSignal;
  /** Called whenever `sentBytes` or `underway` may have changed. */
  readonly changed: () => void;
}

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
    const work = async (): Promise<void> => {
      for (let part = queue.shift(); part && errors.length === 0; part = queue.shift()) {
        await this.sendPart(addresses, part).catch((error: unknown) => errors.push(error));
      }
    };
    await Promise.all(Array.from({ length: this.options.parallel }, work));
    if (errors.length > 0) throw errors[0] as Error;
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
