import { useState } from 'react';

/** The first value that is not undefined: what a dialog offers or proposes stays, although others change the data meanwhile. */
export function useFirst<Value>(value: Value | undefined): Value | undefined {
  const [first, setFirst] = useState(value);
  if (first === undefined && value !== undefined) setFirst(value);
  return first ?? value;
}
