import { type ServerResponse } from 'node:http';
import { type Answer, type Fault } from './faulty-proxy';

const CHUNK = Buffer.alloc(64 * 1024, 'endless ');
/** Nobody who is careful takes that much; who is not, is not fed until the tests run out of memory. */
const MAX_BYTES = 512 * 1024 * 1024;

/** What of an endless answer may be under way to a reader that has stopped reading: in buffers of both sides. */
export const UNDER_WAY_BYTES = 32 * 1024 * 1024;

/** A hostile store's: begins as it should, tells an absurd length, and goes on as long as somebody reads. */
export class EndlessAnswer {
  /** To all of them together. */
  sentBytes = 0;
  begun = 0;
  /** How many were cut off by who asked. */
  cut = 0;

  /** @param status of the answers, where it is not the store's own. */
  constructor(private readonly status?: number) {}

  readonly fault: Fault = {
    kind: 'hostile',
    serve: (response, answer) => {
      // Who asked may have left already, and that is told but once.
      if (response.destroyed) return;
      this.begun += 1;
      response.once('close', () => (this.cut += 1));
      this.serve(response, answer);
    },
  };

  private serve(response: ServerResponse, { status, headers, body }: Answer): void {
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
