type Listener = () => void;
let listener: Listener | null = null;
let isWanted = false;

/** Opens the palette from anywhere; as soon as it is loaded, if it is not there yet. */
export function openPalette(): void {
  if (listener) listener();
  else isWanted = true;
}

/** Calls the listener when the palette is to open. Returns the function that removes it. */
export function onOpenPalette(open: Listener): () => void {
  listener = open;
  if (isWanted) open();
  isWanted = false;
  return () => {
    if (listener === open) listener = null;
  };
}
