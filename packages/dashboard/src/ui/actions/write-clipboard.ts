/** Copies a text. Plain http has no `navigator.clipboard`, so an older method follows. Returns whether either succeeded. */
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
  // Text outside of an open modal dialog cannot be selected.
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
