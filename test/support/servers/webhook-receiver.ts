import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type WebhookEvent } from '#modules/webhooks';

export interface ReceivedMessage {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: WebhookEvent;
}

/** Responds to one message. By default with 204. */
export type Answer = (response: ServerResponse, message: ReceivedMessage) => void;

/** A receiver of webhooks that keeps what it got. */
export class WebhookReceiver {
  readonly messages: ReceivedMessage[] = [];
  answer: Answer = (response) => response.writeHead(204).end();

  private constructor(
    readonly url: string,
    readonly port: number,
    private readonly close: () => Promise<void>,
  ) {}

  static async start(port = 0): Promise<WebhookReceiver> {
    const server = createServer((request, response) => {
      void text(request)
        .then((body) => {
          const message = { headers: request.headers, body, event: JSON.parse(body) as WebhookEvent };
          receiver.messages.push(message);
          receiver.answer(response, message);
        })
        .catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const used = (server.address() as AddressInfo).port;
    const receiver: WebhookReceiver = new WebhookReceiver(`http://127.0.0.1:${used}/hook`, used, async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return receiver;
  }

  get events(): readonly WebhookEvent[] {
    return this.messages.map(({ event }) => event);
  }

  /** Responds to every message with a status. */
  always(status: number, headers: Readonly<Record<string, string>> = {}): void {
    this.answer = (response) => response.writeHead(status, headers).end();
  }

  stop(): Promise<void> {
    return this.close();
  }
}
