import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { eventually } from '../until';

/** A message of a stream of server-sent events. */
export interface StreamedEvent {
  readonly event: string;
  readonly id: string;
  readonly data: Readonly<Record<string, string>>;
}

/** Reads `GET /api/v1/events` of an organization. */
export class EventStreamClient {
  /** All messages so far. */
  readonly events: StreamedEvent[] = [];
  /** The id that a client would send as `Last-Event-ID`. */
  lastEventId = '';
  /** The text as received. */
  text = '';
  hasEnded = false;

  private constructor(
    private readonly request: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    let rest = '';
    response.on('data', (chunk: Buffer) => {
      this.text += chunk.toString();
      const blocks = (rest + chunk.toString()).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) this.read(block);
    });
    response.on('close', () => (this.hasEnded = true)).on('error', () => undefined);
  }

  /** Resolves when the response has begun, also with an error status. @param ca certificate of the server's authority, for https. */
  static open(
    { url, headers, ca }: { url: string; headers: Readonly<Record<string, string>>; ca?: string },
    organizationId: string,
    parameters = '',
  ): Promise<EventStreamClient> {
    return new Promise((resolve, reject) => {
      const target = `${url}/api/v1/events?organization_id=${organizationId}${parameters}`;
      const send = ca === undefined ? httpRequest : httpsRequest;
      const request = send(target, { headers, agent: false, ...(ca && { ca }) }, (response) =>
        resolve(new EventStreamClient(request, response)),
      );
      request.on('error', reject).end();
    });
  }

  get types(): string[] {
    return this.events.map(({ data }) => data['type'] ?? '');
  }

  /** Waits for a message with this type. */
  async receives(type: string): Promise<StreamedEvent> {
    const find = (): StreamedEvent | undefined => this.events.find(({ data }) => data['type'] === type);
    return (await eventually(
      () => Promise.resolve(find()),
      (found) => found !== undefined,
    ))!;
  }

  close(): void {
    this.request.destroy();
  }

  private read(block: string): void {
    const fields = new Map(block.split('\n').map((line) => [line.split(':')[0]!, line.slice(line.indexOf(':') + 2)]));
    this.lastEventId = fields.get('id') ?? this.lastEventId;
    const data = fields.get('data');
    if (data === undefined) return;
    const event = fields.get('event') ?? 'message';
    this.events.push({ event, id: this.lastEventId, data: JSON.parse(data) as Record<string, string> });
  }
}
