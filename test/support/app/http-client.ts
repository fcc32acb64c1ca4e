import { Agent as HttpAgent, type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface HttpSent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** An HTTP client with keep-alive connections. It follows no redirects and retries nothing. */
export class HttpClient {
  private readonly agent: HttpAgent;

  /** @param ca certificate of the authority that signed the server's certificate, for https. */
  constructor(
    private readonly url: string,
    ca?: string,
  ) {
    this.agent = ca === undefined ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true, ca });
  }

  /** @param target a path, or a URL with the same scheme. */
  ask(target: string, { method = 'GET', headers = {}, body }: HttpSent = {}): Promise<HttpAnswer> {
    const send = this.url.startsWith('https:') ? httpsRequest : httpRequest;
    const length = method === 'GET' ? {} : { 'Content-Length': String(body?.length ?? 0) };
    return new Promise((resolve, reject) => {
      const options = { method, agent: this.agent, headers: { ...headers, ...length } };
      const outgoing = send(new URL(target, this.url), options, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
        incoming.on('end', () => {
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) });
        });
      });
      outgoing.on('error', reject).end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

/** An encoded multipart form. */
export async function encoded(form: FormData): Promise<{ body: Buffer; contentType: string }> {
  const response = new Response(form);
  return {
    contentType: response.headers.get('content-type') ?? '',
    body: Buffer.from(await response.arrayBuffer()),
  };
}
