import { isEmail } from 'class-validator';
import { CsvError, parse } from 'csv-parse/sync';
import { isMailAddress } from '#kernel/text/email-address';
import { AppError } from '#kernel/errors/app-error';
import { isStorableText } from '#kernel/text/text';
import { type CsvRow } from '#infra/http/response/stream-response';
import { type Tester, type TesterDraft } from '../tester';

export const MAX_NAME_LENGTH = 100;

/** As many as one megabyte holds, about. */
const MAX_LINES = 10_000;
/** A longer list of mistakes helps nobody. */
const MAX_PROBLEMS = 100;
const MAX_LINE_CHARACTERS = 10_000;

interface Problem {
  readonly field: string;
  readonly messages: readonly string[];
}

interface Line {
  readonly record: Readonly<Record<string, string | undefined>>;
  readonly info: { readonly lines: number };
}

/**
 * Reads a table of testers: the first line names the columns; `email` is needed, `name` is read, others are passed over, so
 * that an export can be imported. Separated by comma, semicolon or tab, whichever the first line has.
 * @throws AppError validation_error naming the lines that are wrong: then nobody is imported.
 */
export function parseTestersCsv(text: string): TesterDraft[] {
  const lines = linesOf(text);
  const problems = lines.flatMap(problemOf);
  if (lines.length === 0) problems.push({ field: 'file', messages: ['names no tester'] });
  if (lines.length > MAX_LINES) problems.unshift({ field: 'file', messages: [`has more than ${MAX_LINES} lines`] });
  if (problems.length > 0) throw AppError.validation(problems.slice(0, MAX_PROBLEMS));
  return lines.map(({ record }) => ({ email: unguarded(record['email']), name: unguarded(record['name']) || null }));
}

export const TESTER_COLUMNS = ['email', 'name', 'id', 'created_at'] as const;

/** A tester as a line of an export. What keeps a cell from being a formula there is taken off again by an import. */
export const toTesterRow = ({ email, name, id, createdAt }: Tester): CsvRow => ({
  email,
  name,
  id,
  created_at: createdAt.toISOString(),
});

function linesOf(text: string): Line[] {
  const head = /^\ufeff?[^\r\n]*/.exec(text)?.[0] ?? '';
  const delimiter = [',', ';', '\t'].find((candidate) => head.includes(candidate)) ?? ',';
  try {
    return parse(text, {
      bom: true,
      delimiter,
      info: true,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      max_record_size: MAX_LINE_CHARACTERS,
      columns: namesOf,
    }) as unknown as Line[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines = 1 } = error as { readonly lines?: number };
    throw AppError.validation([{ field: `line ${lines}`, messages: [error.message] }]);
  }
}

function namesOf(header: readonly string[]): string[] {
  const columns = header.map((name) => name.toLowerCase());
  if (columns.filter((name) => name === 'email').length === 1) return columns;
  throw AppError.validation([{ field: 'line 1', messages: ['must name the columns; one of them must be email'] }]);
}

function problemOf({ record, info }: Line): Problem[] {
  const email = unguarded(record['email']);
  const name = unguarded(record['name']);
  const messages: string[] = [];
  if (!isEmail(email, { allow_utf8_local_part: true, require_tld: false }) || !isMailAddress(email))
    messages.push('email must be an e-mail address');
  if ([...name].length > MAX_NAME_LENGTH) messages.push(`name must have ${MAX_NAME_LENGTH} characters or fewer`);
  if (!isStorableText(name) || name.includes('\ufffd')) messages.push('name must be well-formed UTF-8 text');
  return messages.length > 0 ? [{ field: `line ${info.lines}`, messages }] : [];
}

const unguarded = (cell = ''): string => cell.replace(/^'(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/, '');
