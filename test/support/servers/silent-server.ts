import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface SilentServer {
  /** Host and port. */
  readonly host: string;
  /** The number of connections that it has accepted. */
  readonly accepted: () => number;
  /** The highest number of connections that were open at the same time. */
  readonly mostOpen: () => number;
  readonly stop: () => Promise<void>;
}

/** Starts a server that accepts connections and never sends a byte, like a store or a mail server that hangs. */
export async function startSilentServer(): Promise<SilentServer> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  let mostOpen = 0;
  const server = createServer((socket) => {
    accepted += 1;
    sockets.add(socket);
    mostOpen = Math.max(mostOpen, sockets.size);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    accepted: () => accepted,
    mostOpen: () => mostOpen,
    stop,
  };
}
