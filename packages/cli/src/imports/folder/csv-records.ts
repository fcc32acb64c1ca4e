import { parseCsv } from '@agate/client';

/** A row of a CSV file: its cells by the names of the columns, in lower case. Missing cells are empty. */
export interface CsvRecord {
  /** The line on which the record begins, counted from 1. */
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

/** Reads a CSV file whose first row names the columns. @throws CsvError */
export function csvRecords(text: string): CsvRecord[] {
  const [header, ...rows] = parseCsv(text);
  const columns = header?.cells.map((name) => name.toLowerCase()) ?? [];
  return rows.map(({ line, cells }) => ({
    line,
    // Of columns with one name, the first counts.
    cells: Object.fromEntries(columns.map((name) => [name, cells[columns.indexOf(name)] ?? ''])),
  }));
}
