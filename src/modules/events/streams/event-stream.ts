import { type Response } from 'express';

/** A client that has not read this many bytes is disconnected. */
const MAX_BUFFERED_BYTES = 64 * 1024;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // A proxy must neither compress nor collect the events.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** Milliseconds after which a client reconnects. */
const RECONNECT_MS = 2_000;

/** Milliseconds in which a client must read the end of the stream. */
const END_MS = 1_000;

/** A response that sends server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export class EventStream {
  constructor(private readonly response: Response) {}

  get isOpen(): boolean {
    return !this.response.destroyed && !this.response.writableEnded;
  }

  /** @param id where a client that reconnects continues. */
  open(id: number): void {
    this.response.writeHead(200, HEADERS);
    this.write(`retry: ${RECONNECT_MS}\nid: ${id}\n\n`);
  }

  /** @param event the name of the event; null for an ordinary message. */
  send(event: string | null, id: number, data: object): void {
    this.write(`${event === null ? '' : `event: ${event}\n`}id: ${id}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Keeps proxies from closing the connection. A client ignores it, except for the id. */
  heartbeat(id: number): void {
    this.write(`: heartbeat\nid: ${id}\n\n`);
  }

  /** A client that does not read must not delay the shutdown. */
  end(): void {
    if (this.isOpen) this.response.end();
    const timer = setTimeout(() => this.response.destroy(), END_MS).unref();
    this.response.once('finish', () => clearTimeout(timer));
  }

  private write(text: string): void {
    if (!this.isOpen) return;
    this.response.write(text);
    // Events are not collected for a client that does not read. It reconnects and gets `resync`.
    if (this.response.writableLength > MAX_BUFFERED_BYTES) this.response.destroy();
  }
}
