/** Rows of text in columns that begin at the same place. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => widthOf(row[column]))));
  const padded = (cell: string, column: number): string =>
    cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell)));
  return rows.map((row) => row.map(padded).join('  ').trimEnd()).join('\n');
}

/** The number of characters that people see. */
const widthOf = (cell = ''): number => [...new Intl.Segmenter().segment(cell)].length;
