import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 120;

/** The text of a search field whose value is in the address. Typed text shows immediately; the address follows after a pause. */
export function useSearchText(
  inAddress: string,
  write: (text: string) => void,
): readonly [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(inAddress);
  const written = useRef(inAddress);
  const latestWrite = useRef(write);
  useEffect(() => {
    latestWrite.current = write;
  });
  // Handles Back and a cleared filter. The field's own change arrives here, too, while more text may have been typed.
  useEffect(() => {
    if (inAddress === written.current) return;
    written.current = inAddress;
    setText(inAddress);
  }, [inAddress]);
  useEffect(() => {
    if (text === written.current) return;
    const timer = setTimeout(() => {
      written.current = text;
      latestWrite.current(text);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}
