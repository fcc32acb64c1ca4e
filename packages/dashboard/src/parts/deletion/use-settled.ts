import { useEffect, useState } from 'react';

const PAUSE_MS = 400;

/** A value that follows another one after a pause. Values with equal JSON are the same. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
