import { type OperatorAnswer } from '#modules/operators';

/** An answer for the eye: a list as a table with a head, one thing as a line for each of its fields. */
export function answerAsText(answer: OperatorAnswer): string {
  if (!Array.isArray(answer)) return fieldLines(answer);
  const rows = answer as readonly object[];
  if (rows.length === 0) return 'None.\n';
  const columns = Object.keys(rows[0] ?? {});
  const cells = [columns, ...rows.map((row) => columns.map((column) => cell(row[column as keyof typeof row])))];
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

function fieldLines(answer: object): string {
  const fields = Object.entries(answer);
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return fields.map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}\n`).join('');
}

/** On one line, whatever it holds. */
const cell = (value: unknown): string =>
  (typeof value === 'string' ? value : value === null || value === undefined ? '-' : JSON.stringify(value)).replace(
    /\s+/g,
    ' ',
  );
