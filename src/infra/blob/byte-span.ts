/** A part of a blob: from byte `start` up to, not including, byte `end`. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}
