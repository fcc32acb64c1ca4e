import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

interface Comment {
  readonly id: number;
  body: string;
  readonly user: { readonly login: string; readonly type: 'Bot' | 'User' };
}

/** The part of GitHub's API that handles the comments of pull requests. */
export class CommentHost {
  readonly comments: Comment[] = [];
  readonly requests: string[] = [];
  /** Whether the token may write. */
  mayWrite = true;
  private readonly server: Server;

  /** Address of the API. */
  url = '';

  private constructor(private readonly token: string) {
    this.server = createServer((request, response) => void this.handle(request, response));
  }

  static async start(token: string): Promise<CommentHost> {
    const host = new CommentHost(token);
    await new Promise<void>((resolve) => host.server.listen(0, '127.0.0.1', resolve));
    host.url = `http://127.0.0.1:${(host.server.address() as AddressInfo).port}`;
    return host;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  add(body: string, user: Comment['user'] = { login: 'github-actions[bot]', type: 'Bot' }): Comment {
    const comment = { id: this.comments.length + 1, body, user };
    this.comments.push(comment);
    return comment;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = new URL(request.url ?? '/', this.url);
    this.requests.push(`${request.method} ${address.pathname}`);
    const [status, document] =
      request.headers.authorization === `Bearer ${this.token}`
        ? this.answer(request.method ?? '', address, await bodyOf(request))
        : [401, { message: 'Bad credentials' }];
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(document));
  }

  private answer(method: string, address: URL, body: { body?: string }): [number, unknown] {
    if (address.pathname === '/user') return [403, { message: 'Resource not accessible by integration' }];
    if (method !== 'GET' && !this.mayWrite) return [403, { message: 'Resource not accessible by integration' }];
    if (/^\/repos\/acme\/app\/issues\/12\/comments$/.test(address.pathname)) {
      if (method === 'POST') return [201, this.add(body.body ?? '')];
      const size = Number(address.searchParams.get('per_page') ?? 30);
      const from = (Number(address.searchParams.get('page') ?? 1) - 1) * size;
      return [200, this.comments.slice(from, from + size)];
    }
    const [, id] = /^\/repos\/acme\/app\/issues\/comments\/(\d+)$/.exec(address.pathname) ?? [];
    const comment = this.comments.find((each) => each.id === Number(id));
    if (method !== 'PATCH' || !comment) return [404, { message: 'Not Found' }];
    comment.body = body.body ?? '';
    return [200, comment];
  }
}

async function bodyOf(request: IncomingMessage): Promise<{ body?: string }> {
  let text = '';
  for await (const chunk of request) text += (chunk as Buffer).toString();
  return text === '' ? {} : (JSON.parse(text) as { body?: string });
}
