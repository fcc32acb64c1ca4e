import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ephemeral range: a port from there may go to any outgoing connection between the look and the use. */
const LOWEST_PORT = 20_000;
const EPHEMERAL_PORTS_START = 32_768;

/** Whether nobody listens on this port of 127.0.0.1 now. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** A free port of 127.0.0.1: the preferred one, or any other. */
export async function findFreePort(preferred?: number): Promise<number> {
  for (let port = preferred; ; port = randomInt(LOWEST_PORT, EPHEMERAL_PORTS_START)) {
    if (port !== undefined && (await isPortFree(port))) return port;
  }
}
