import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';

export interface ZealotFile {
  readonly fileName: string;
  readonly bytes: Buffer;
}

/** Responds like a server of Zealot 6, with responses that were recorded from its documentation. */
export class ZealotDouble {
  static readonly TOKEN = 'b81b21f3e8f8d9e6f0d2';
  /** Releases by the key of their channel, newest first. */
  readonly releases = new Map<string, readonly object[]>();
  /** Files by the id of their release. A missing file is behind a password. */
  readonly files = new Map<number, ZealotFile>();
  /** The response to `GET /api/apps`. */
  apps: readonly object[] = [];
  private readonly server: Server;

  private constructor() {
    this.server = createServer(({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://zealot');
      const json = (status: number, body: object): void =>
        void response
          .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' })
          .end(JSON.stringify(body));
      if (pathname === '/api/apps') {
        if (searchParams.get('token') !== ZealotDouble.TOKEN) return json(422, { error: 'Unauthorized token' });
        return json(200, this.apps);
      }
      if (pathname === '/api/apps/versions') return json(200, this.page(searchParams));
      const [, id, name] = /^\/download\/releases\/(\d+)(?:\/(.+))?$/.exec(pathname) ?? [];
      const file = this.files.get(Number(id));
      if (!file) return void response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end('<form>');
      if (!name)
        return void response.writeHead(302, { Location: `${pathname}/${encodeURIComponent(file.fileName)}` }).end();
      response.writeHead(200, {
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': `attachment; filename="${file.fileName}"; filename*=UTF-8''${encodeURIComponent(file.fileName)}`,
      });
      response.end(file.bytes);
    });
  }

  static async start(): Promise<ZealotDouble> {
    const double = new ZealotDouble();
    await new Promise<void>((resolve) => double.server.listen(0, '127.0.0.1', resolve));
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private page(query: URLSearchParams): object {
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 10)];
    const all = this.releases.get(query.get('channel_key') ?? '') ?? [];
    return { app_name: 'Rocket', bundle_id: '*', git_url: null, releases: all.slice((page - 1) * size, page * size) };
  }
}
