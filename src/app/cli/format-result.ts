import { type OperatorResult } from '#modules/operators';

/** Formats a result for a terminal: a list as a table with a header, an object as one line per field. */
export function formatResult(result: OperatorResult): string {
  if (!Array.isArray(result)) return formatFields(result);
  const rows = result as readonly object[];
  if (rows.length === 0) return 'None.\n';
  const columns = Object.keys(rows[0] ?? {});
  const cells = [columns, ...rows.map((row) => columns.map((column) => formatCell(row[column as keyof typeof row])))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => (line[index] ?? '').length)));
  return cells
    .map(
      (line) =>
        `${line
          .map((text, index) => text.padEnd(widths[index] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function formatFields(result: object): string {
  const fields = Object.entries(result);
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return fields.map(([name, value]) => `${name.padEnd(width)}  ${formatCell(value)}\n`).join('');
}

/** Always one line: white space becomes single spaces. */
const formatCell = (value: unknown): string =>
  (typeof value === 'string' ? value : value === null || value === undefined ? '-' : JSON.stringify(value)).replace(
    /\s+/g,
    ' ',
  );
