import { type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Answers what is made while it is sent, as fast as the client takes it. What fails before the first piece is there is an
 * answer like any other. What fails later is thrown, too, and cuts the connection: the client sees an answer that breaks off,
 * never one that is valid and lacks something. `HEAD` asks for no second piece. Resolves when the answer is out or the client
 * has left.
 */
export async function sendStream(
  response: ServerResponse,
  headers: OutgoingHttpHeaders,
  pieces: AsyncGenerator<string>,
): Promise<void> {
  const first = await pieces.next();
  response.writeHead(200, headers);
  if (response.req.method === 'HEAD') {
    await pieces.return(undefined);
    response.end();
    return;
  }
  let failure: unknown;
  async function* body(): AsyncGenerator<string> {
    try {
      if (!first.done) yield first.value;
      yield* pieces;
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  await pipeline(Readable.from(body(), { objectMode: true, highWaterMark: 1 }), response).catch(() => undefined);
  if (failure !== undefined) throw failure as Error;
}
