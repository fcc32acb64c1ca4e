import { useState } from 'react';

interface Read<Value> {
  readonly data: Value | undefined;
  /** Cached data may be old until this is false. Default: false. */
  readonly isFetching?: boolean;
}

/** The first data that was read: what a dialog offers or proposes stays, although others change the data meanwhile. */
export function useFirst<Value>({ data, isFetching = false }: Read<Value>): Value | undefined {
  const [first, setFirst] = useState<Value>();
  if (first === undefined && data !== undefined && !isFetching) setFirst(() => data);
  return first ?? data;
}
