import { isEmail } from 'class-validator';
import { CsvError, parse } from 'csv-parse/sync';
import { isMailAddress } from '#kernel/text/email-address';
import { AppError, MAX_ERROR_FIELDS } from '#kernel/errors/app-error';
import { unescapeFormulas } from '#kernel/text/formulas';
import { isLine, isStorableText } from '#kernel/text/text';
import { type CsvRow } from '#infra/http/response/stream-response';
import { type Tester, type TesterDraft } from '../tester';

export const MAX_NAME_LENGTH = 100;

/** About as many lines as the maximum body of one megabyte holds. */
const MAX_LINES = 10_000;
const MAX_COLUMNS = 100;
/** The parser takes a tenth of a second for a million cells, during which no other request is served. */
const MAX_CELLS = 200_000;
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
 * Parses a CSV file of testers. The first line names the columns: `email` is required, `name` is optional, others are ignored, so that
 * an export can be imported. The separator is the comma, semicolon or tab that the first line contains.
 * @throws AppError validation_error that names the wrong lines.
 */
export function parseTestersCsv(text: string): TesterDraft[] {
  const lines = linesOf(text);
  if (lines.length === 0) throw wrongFile('must contain at least one tester');
  if (lines.length > MAX_LINES) throw wrongFile(`must have ${MAX_LINES} lines or fewer`);
  const problems = problemsOf(lines);
  if (problems.length > 0) throw AppError.validation(problems);
  return lines.map(({ record }) => ({
    email: unescapeFormulas(record['email'] ?? ''),
    name: unescapeFormulas(record['name'] ?? '') || null,
  }));
}

export const TESTER_COLUMNS = ['email', 'name', 'id', 'created_at', 'bounced_at', 'bounce_code'] as const;

/** A tester as a line of an export. */
export const toTesterRow = ({ email, name, id, createdAt, bouncedAt, bounceCode }: Tester): CsvRow => ({
  email,
  name,
  id,
  created_at: createdAt.toISOString(),
  bounced_at: bouncedAt?.toISOString() ?? null,
  bounce_code: bounceCode,
});

function linesOf(text: string): Line[] {
  const head = /^\ufeff?[^\r\n]*/.exec(text)?.[0] ?? '';
  const delimiter = [',', ';', '\t'].find((candidate) => head.includes(candidate)) ?? ',';
  if (text.split(delimiter, MAX_CELLS + 1).length > MAX_CELLS) throw wrongFile(`must have ${MAX_CELLS} cells or fewer`);
  try {
    return parse(text, {
      bom: true,
      delimiter,
      info: true,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      max_record_size: MAX_LINE_CHARACTERS,
      // One more line shows that there are too many.
      to: MAX_LINES + 1,
      columns: namesOf,
    }) as unknown as Line[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines = 1 } = error as { readonly lines?: number };
    throw AppError.validation([{ field: `line ${lines}`, messages: [error.message] }]);
  }
}

function namesOf(header: readonly string[]): string[] {
  if (header.length > MAX_COLUMNS)
    throw AppError.validation([{ field: 'line 1', messages: [`must name ${MAX_COLUMNS} columns or fewer`] }]);
  const columns = header.map((name) => name.toLowerCase());
  if (columns.filter((name) => name === 'email').length === 1) return columns;
  throw AppError.validation([
    { field: 'line 1', messages: ['must name the columns, and exactly one of them must be email'] },
  ]);
}

const wrongFile = (message: string): AppError => AppError.validation([{ field: 'file', messages: [message] }]);

/** Stops when there are as many problems as an error names. */
function problemsOf(lines: readonly Line[]): Problem[] {
  const problems: Problem[] = [];
  for (const line of lines) {
    problems.push(...problemOf(line));
    if (problems.length === MAX_ERROR_FIELDS) break;
  }
  return problems;
}

function problemOf({ record, info }: Line): Problem[] {
  const email = unescapeFormulas(record['email'] ?? '');
  const name = unescapeFormulas(record['name'] ?? '');
  const messages: string[] = [];
  if (!isEmail(email, { allow_utf8_local_part: true, require_tld: false }) || !isMailAddress(email))
    messages.push('email must be an e-mail address');
  if ([...name].length > MAX_NAME_LENGTH) messages.push(`name must have ${MAX_NAME_LENGTH} characters or fewer`);
  if (!isStorableText(name) || name.includes('\ufffd')) messages.push('name must be well-formed UTF-8 text');
  if (!isLine(name)) messages.push('name must not contain control characters');
  return messages.length > 0 ? [{ field: `line ${info.lines}`, messages }] : [];
}
