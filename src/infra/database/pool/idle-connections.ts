import { type ClientBase } from 'pg';
import { afterTicks, TICK_MS } from '#infra/concurrency/ticks';

/** A connection that was used within this time is not checked. */
const TRUSTED_MS = 1_000;
const RESPONSE_TICKS = 2_000 / TICK_MS;

/**
 * Finds idle connections that died without a sign, because the server's host died or the network drops packets. A statement that is sent
 * over one waits for its whole timeout, which is two minutes for jobs: TCP keep-alive notices only connections on which nothing was sent.
 */
export class IdleConnections {
  private readonly usedAt = new WeakMap<object, number>();
  /** The last time at which a connection did not respond. Connections that were idle then are not trusted. */
  private silentAt = -Infinity;

  add(client: ClientBase): void {
    this.usedAt.set(client, performance.now());
  }

  /** @returns true for a new connection, and for one that was just used or responds within two seconds. */
  async isAlive(client: ClientBase): Promise<boolean> {
    const usedAt = this.usedAt.get(client) ?? Infinity;
    if (usedAt <= this.silentAt) return false;
    if (performance.now() - usedAt < TRUSTED_MS) return true;
    const responds = await doesRespond(client);
    if (!responds) this.silentAt = performance.now();
    return responds;
  }
}

async function doesRespond(client: ClientBase): Promise<boolean> {
  const ignore = (): void => undefined;
  client.on('error', ignore);
  try {
    return await new Promise<boolean>((resolve) => {
      const stop = afterTicks(RESPONSE_TICKS, () => resolve(false));
      client
        .query('SELECT 1')
        .then(
          () => resolve(true),
          () => resolve(false),
        )
        .finally(stop);
    });
  } finally {
    client.off('error', ignore);
  }
}
