import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Ports below the ephemeral range, because an outgoing connection may take an ephemeral port between the check and its use. */
const LOWEST_PORT = 20_000;
const EPHEMERAL_PORTS_START = 32_768;

/** True when no process listens on this port of 127.0.0.1. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** A free port of 127.0.0.1: `preferred` when it is free, otherwise a random one. */
export async function findFreePort(preferred?: number): Promise<number> {
  for (let port = preferred; ; port = randomInt(LOWEST_PORT, EPHEMERAL_PORTS_START)) {
    if (port !== undefined && (await isPortFree(port))) return port;
  }
}
