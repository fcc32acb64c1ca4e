import { type UploadApi } from './upload-api';

/** The number of addresses that one request returns. */
const BATCH = 8;
/** Addresses are valid for half an hour. An older address could expire while a part is sent. */
const FRESH_MS = 20 * 60_000;

interface KnownAddress {
  readonly url: Promise<string>;
  readonly since: number;
}

/** The addresses of the parts of one upload, requested for several parts in one request. */
export class PartAddresses {
  private readonly known = new Map<number, KnownAddress>();

  /** @param numbers the parts that will be sent, in their order. */
  constructor(
    private readonly api: Pick<UploadApi, 'partUrls'>,
    private readonly uploadId: string,
    private readonly numbers: readonly number[],
  ) {}

  /** An address that accepts the part. @throws ApiError when the service gives none. */
  async of(number: number, signal: AbortSignal): Promise<string> {
    const known = this.known.get(number);
    if (!known || Date.now() - known.since > FRESH_MS) this.request(number, signal);
    return this.known.get(number)?.url ?? '';
  }

  /** Gets a new address for the part when it is next sent. */
  forget(number: number): void {
    this.known.delete(number);
  }

  forgetAll(): void {
    this.known.clear();
  }

  private request(first: number, signal: AbortSignal): void {
    const following = this.numbers.filter((number) => number > first && !this.known.has(number));
    const wanted = [first, ...following.slice(0, BATCH - 1)];
    const urls = this.api.partUrls(this.uploadId, wanted, signal);
    const since = Date.now();
    for (const number of wanted) {
      const url = urls.then((found) => found.get(number) ?? '');
      // Parts that are no longer sent do not read their address.
      url.catch(() => this.forget(number));
      this.known.set(number, { url, since });
    }
  }
}
