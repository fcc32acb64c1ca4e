import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/**
 * Runs a full garbage collection, which takes some tens of milliseconds. V8 frees the memory of dropped buffers only then, and a process
 * without load makes none, so the memory of a burst would stay resident. Call it once after dropping many megabytes.
 */
export function collectGarbage(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
