import { type InspectedArtifact } from '../inspected-artifact';

/** What the worker is started with. */
export interface Assignment {
  readonly fileName: string;
  readonly sizeBytes: number;
}

/** From the worker: it wants bytes, or it is done. */
export type WorkerMessage =
  | { readonly type: 'read'; readonly offset: number; readonly length: number }
  | { readonly type: 'inspected'; readonly artifact: InspectedArtifact }
  | { readonly type: 'refused'; readonly message: string; readonly details: Readonly<Record<string, unknown>> };

/** To the worker: the bytes it asked for last. It asks for one range at a time. */
export type Answer = Uint8Array;
