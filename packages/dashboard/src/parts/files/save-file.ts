/** The byte order mark of UTF-8, without which Excel assumes another encoding. */
const UTF_8 = '\uFEFF';

/** Lets the browser save a text as a file. */
export function saveFile(name: string, text: string, type: 'text/csv' | 'text/plain' | 'application/json'): void {
  const content = type === 'text/csv' && !text.startsWith(UTF_8) ? [UTF_8, text] : [text];
  const address = URL.createObjectURL(new Blob(content, { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
