import { MessageChannel } from 'node:worker_threads';

/** Smaller chunks cost more to free than they occupy. */
const MIN_BYTES = 16 * 1024;

/** A closed port. It drops messages, together with the memory that they transfer. */
const { port1: dropped } = new MessageChannel();
dropped.close();

/**
 * Frees the memory of a chunk at once; its length is 0 afterwards. Node copies what a socket received to new memory for each chunk, and V8
 * frees it with the next collection of garbage, which it makes after some 32 MB of chunks.
 *
 * Does nothing to a chunk that is a part of its `ArrayBuffer`: the rest may be in use. A chunk that is all of it has been passed on as a
 * whole by every parser before, so nothing else of it is in use.
 */
export function freeChunk({ buffer, byteLength }: Buffer): void {
  if (byteLength >= MIN_BYTES && byteLength === buffer.byteLength) dropped.postMessage(null, [buffer as ArrayBuffer]);
}
