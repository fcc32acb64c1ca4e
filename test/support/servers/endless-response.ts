import { type ServerResponse } from 'node:http';
import { type Fault, type StoreResponse } from './proxies/faulty-proxy';

const CHUNK = Buffer.alloc(64 * 1024, 'endless ');
/** A correct reader never accepts this much. The limit keeps a faulty reader from exhausting the tests' memory. */
const MAX_BYTES = 512 * 1024 * 1024;

/** The maximum of a response that the buffers of both sides hold when the reader has stopped reading. */
export const MAX_BUFFERED_BYTES = 32 * 1024 * 1024;

/** Responses of a hostile store: the correct body, then more data as long as the client reads. Declares an absurd length. */
export class EndlessResponse {
  /** The total over all responses. */
  sentBytes = 0;
  started = 0;
  /** The number of responses that the client aborted. */
  aborted = 0;

  /** @param status replaces the store's status; the store's body is then left out. */
  constructor(private readonly status?: number) {}

  readonly fault: Fault = {
    kind: 'hostile',
    serve: (response, original) => {
      // A response that is already closed emits no further `close`.
      if (response.destroyed) return;
      this.started += 1;
      response.once('close', () => (this.aborted += 1));
      this.serve(response, original);
    },
  };

  private serve(response: ServerResponse, { status, headers, body }: StoreResponse): void {
    const { 'transfer-encoding': _, ...others } = headers;
    response.writeHead(this.status ?? status, { ...others, 'content-length': 2 ** 50 });
    if (this.status === undefined) response.write(body);
    const more = (): void => {
      do {
        if (response.destroyed || this.sentBytes > MAX_BYTES) return;
        this.sentBytes += CHUNK.length;
      } while (response.write(CHUNK));
      response.once('drain', more);
    };
    more();
  }
}
