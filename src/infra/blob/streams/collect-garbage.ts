import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options?: { readonly type: 'minor' }) => void;

/** Between collections of the chunks that were received. */
const RECEIVED_BYTES = 8 * 1024 * 1024;

let collect: Collect | undefined;
let receivedBytes = 0;

/**
 * Runs a full garbage collection, which takes some tens of milliseconds. V8 frees the memory of dropped buffers only then, and a process
 * without load makes none, so the memory of a burst would stay resident. Call it once after dropping many megabytes.
 */
export function collectGarbage(): void {
  collector()();
}

/**
 * Counts the bytes of a chunk that was received and will soon be dropped. Every 8 MiB, of all streams together, it collects the garbage
 * that is young, which takes less than a millisecond: V8 by itself begins when dropped chunks hold some 40 MB.
 */
export function countReceived(bytes: number): void {
  receivedBytes += bytes;
  if (receivedBytes < RECEIVED_BYTES) return;
  receivedBytes = 0;
  collector()({ type: 'minor' });
}

function collector(): Collect {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
  }
  return collect;
}
