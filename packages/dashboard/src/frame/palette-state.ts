type Listener = () => void;
const listeners = new Set<Listener>();

/** Opens the palette from anywhere. */
export function openPalette(): void {
  for (const listener of listeners) listener();
}

/** Calls the listener when the palette is to open. Returns the function that removes it. */
export function onOpenPalette(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
