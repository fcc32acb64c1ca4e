import { request } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';

/** The server's side of the beginning of a secure connection. */
export interface TlsFacts {
  /** Why the certificate is not trusted, such as `CERT_HAS_EXPIRED`. Null when it is trusted. */
  readonly error: string | null;
  readonly validTo: Date | null;
  readonly issuer: string;
}

const TIMEOUT_MS = 10_000;

/**
 * Begins a secure connection and ends it.
 * @param proxy the proxy to the server; null without a proxy.
 * @param ca certificates of the authorities to trust. Default: those of this process.
 * @throws the error of the connection.
 */
export async function probeTls(url: URL, proxy: URL | null, ca?: readonly string[]): Promise<TlsFacts> {
  const port = Number(url.port || 443);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const tunnel = proxy ? await tunnelThrough(proxy, `${url.hostname}:${port}`) : undefined;
  return begun({
    ...(tunnel ? { socket: tunnel } : { host, port }),
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca && { ca: [...ca] }),
    // The certificate is verified here, so that the error can name the fault.
    rejectUnauthorized: false,
    timeout: TIMEOUT_MS,
  });
}

function begun(options: ConnectionOptions): Promise<TlsFacts> {
  return new Promise((resolve, reject) => {
    const socket = connect(options);
    const fail = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    socket.once('secureConnect', () => {
      resolve(factsOf(socket));
      socket.destroy();
    });
    socket.once('error', fail);
    socket.once('timeout', () => fail(new Error(`no response within ${TIMEOUT_MS / 1000} seconds`)));
  });
}

function factsOf(socket: TLSSocket): TlsFacts {
  const { valid_to, issuer } = socket.getPeerCertificate();
  const { authorized, authorizationError } = socket as { authorized: boolean; authorizationError?: Error | string };
  const error = authorized ? null : String((authorizationError as { code?: string })?.code ?? authorizationError);
  return {
    error,
    validTo: valid_to ? new Date(valid_to) : null,
    issuer: [issuer?.O, issuer?.CN].flat().filter(Boolean).join(', '),
  };
}

function tunnelThrough(proxy: URL, authority: string): Promise<Socket> {
  const { hostname, port, username, password } = proxy;
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  return new Promise((resolve, reject) => {
    const connecting = request({
      host: hostname,
      port: port || 80,
      method: 'CONNECT',
      path: authority,
      headers: { Host: authority, ...(username !== '' && { 'Proxy-Authorization': `Basic ${login}` }) },
      timeout: TIMEOUT_MS,
    });
    connecting.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy responded with status ${statusCode}`));
    });
    connecting.once('timeout', () => connecting.destroy(new Error('the proxy does not respond')));
    connecting.once('error', reject).end();
  });
}
