type Listener = () => void;
let listener: Listener | null = null;
let isWanted = false;

/** Opens the palette from anywhere. A palette that is not loaded yet opens as soon as its file is loaded. */
export function openPalette(): void {
  if (listener) listener();
  else isWanted = true;
}

/** Calls the listener when the palette should open. Returns the function that removes it. */
export function onOpenPalette(open: Listener): () => void {
  listener = open;
  if (isWanted) open();
  isWanted = false;
  return () => {
    if (listener === open) listener = null;
  };
}

export const isDialogOpen = (): boolean =>
  document.querySelector('dialog[open], [popover="auto"]:popover-open') !== null;

/** Opens the palette with Ctrl+K or Cmd+K, even before the other keys are loaded. Returns the function that stops it. */
export function listenToPaletteKey(): () => void {
  const keyDown = (event: KeyboardEvent): void => {
    const isItsKey =
      (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k';
    if (!isItsKey || event.defaultPrevented || event.isComposing || isDialogOpen()) return;
    event.preventDefault();
    openPalette();
  };
  addEventListener('keydown', keyDown);
  return () => removeEventListener('keydown', keyDown);
}
