/** Copies a text. Plain http has no `navigator.clipboard`, so an older way follows. Returns whether either worked. */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

function copySelection(text: string): boolean {
  const focused = document.activeElement;
  // Outside of an open modal dialog nothing can be selected.
  const host = focused?.closest('dialog') ?? document.body;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'visually-hidden';
  host.append(field);
  field.select();
  try {
    // Deprecated, but the only way without a secure context.
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
