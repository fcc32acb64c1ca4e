import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** The documented response of Google's Android Developer Status API for a package: a state, or the status of an error. Null closes the connection. */
export type StatusAnswer = string | number | null;

/** A request that the server received. */
export interface StatusRequest {
  readonly url: string;
  readonly key: string | string[] | undefined;
}

/** A stand-in for Google's Android Developer Status API, which cannot be reached in tests. */
export class DeveloperStatusServer {
  readonly requests: StatusRequest[] = [];
  answer: StatusAnswer = 'NOT_REGISTERED';
  /** Whether it expects package names with hyphens, as Google's generated clients write them. */
  hyphens = false;
  private readonly server = createServer((request, response) => this.respond(request, response));

  static async start(): Promise<DeveloperStatusServer> {
    const started = new DeveloperStatusServer();
    started.server.listen(0, '127.0.0.1');
    await once(started.server, 'listening');
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close().closeAllConnections();
  }

  private respond({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
    this.requests.push({ url, key: headers['x-goog-api-key'] });
    const [, name = '', fingerprint = ''] =
      /^\/v1\/packages\/([^/]+)\/packageRegistrationStatus:check\?certificateFingerprint=([0-9a-f]{64})$/.exec(url) ??
      [];
    const send = (status: number, body: object): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    };
    const isWrong = name === '' || (this.hyphens ? name.includes('.') : name.includes('-'));
    if (isWrong) return send(400, { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'Invalid name.' } });
    if (this.answer === null) return void response.destroy();
    if (typeof this.answer === 'number') return send(this.answer, { error: { code: this.answer, status: 'ERROR' } });
    send(200, {
      name: `packages/${name}/packageRegistrationStatus`,
      state: this.answer,
      certificateFingerprint: fingerprint,
    });
  }
}
