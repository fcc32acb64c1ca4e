export type CsvValue = string | number | null;

/** A text that a spreadsheet would run as a formula is quoted with an apostrophe. */
const FORMULA = /^[=+\-@\t\r]/;

function cellOf(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A table as CSV (RFC 4180). */
export const toCsv = (rows: readonly (readonly CsvValue[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
