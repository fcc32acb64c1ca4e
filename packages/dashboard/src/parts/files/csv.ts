export type CsvValue = string | number | null;

/**
 * Puts an apostrophe before each beginning that a spreadsheet would run as a formula. A spreadsheet whose separator is the semicolon or tab,
 * as in German, also begins a cell after each of them, and after each line break.
 */
const escapeFormulas = (text: string): string =>
  text.replace(/([;\t\r\n])(?=[=+\-@\t\r])/g, "$1'").replace(/^(?=[=+\-@\t\r])/, "'");

function cellOf(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = escapeFormulas(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A table as CSV (RFC 4180). */
export const toCsv = (rows: readonly (readonly CsvValue[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
