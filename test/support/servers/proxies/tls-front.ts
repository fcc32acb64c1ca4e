import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo } from 'node:net';
import { selfSignedCertificate } from '../../artifacts/der-writer';

export interface TlsFrontOptions {
  /** The expiry time of its certificate. */
  readonly notAfter?: Date;
  /** The milliseconds by which the `Date` of responses is ahead of the time. */
  readonly aheadMs?: number;
}

/** A reverse proxy that serves https://localhost with a certificate of its own. */
export class TlsFront {
  /** The certificate in PEM, for clients that are to trust it. */
  readonly certificate: string;
  private readonly server: Server;

  private constructor(target: string, { notAfter, aheadMs = 0 }: TlsFrontOptions) {
    const { cert, key } = selfSignedCertificate('localhost', notAfter);
    this.certificate = cert;
    this.server = createServer({ cert, key }, (incoming, outgoing) => {
      const { method, headers, url } = incoming;
      const forwarded = request(new URL(url ?? '/', target), { method, headers }, (response) => {
        const date = new Date(Date.now() + aheadMs).toUTCString();
        outgoing.writeHead(response.statusCode ?? 502, { ...response.headers, date });
        response.pipe(outgoing);
      });
      forwarded.on('error', () => outgoing.destroy());
      incoming.pipe(forwarded);
    });
  }

  /** @param target address of a server without TLS. */
  static async startBefore(target: string, options: TlsFrontOptions = {}): Promise<TlsFront> {
    const front = new TlsFront(target, options);
    await new Promise<void>((resolve) => front.server.listen(0, 'localhost', resolve));
    return front;
  }

  get url(): string {
    return `https://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
