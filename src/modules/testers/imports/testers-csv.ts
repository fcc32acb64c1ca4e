import { isEmail } from 'class-validator';
import { AppError, MAX_ERROR_FIELDS } from '#kernel/errors/app-error';
import { isMailAddress, trimAddress } from '#kernel/text/email-address';
import { isLine, isStorableText } from '#kernel/text/text';
import { type TesterDraft } from '../tester';
import { csvRows, MAX_LINES, wrongFile, wrongLine } from './csv-rows';

export const MAX_NAME_LENGTH = 100;

const MAX_COLUMNS = 100;

/** The headers of addresses, the preferred one first: of exports of the service, of Excel and of Outlook. */
const EMAIL_HEADERS = ['email', 'e mail', 'email address', 'e mail address', 'email adresse', 'e mail adresse'];
/** The headers of names. The cells of a group are joined. */
const NAME_HEADERS = [['name'], ['full name'], ['display name'], ['first name', 'last name'], ['vorname', 'nachname']];

interface Problem {
  readonly field: string;
  readonly messages: readonly string[];
}

interface Line {
  readonly line: number;
  readonly email: string;
  readonly name: string;
}

/**
 * Parses a CSV file of testers. The first line names the columns: `email` is required, `name` is optional, others are ignored, so that
 * an export can be imported. Both may have the names that Outlook and Excel give them.
 * @throws AppError validation_error that names the wrong lines.
 */
export function parseTestersCsv(text: string): TesterDraft[] {
  const lines = linesOf(text);
  if (lines.length === 0) throw wrongFile('must contain at least one tester');
  if (lines.length > MAX_LINES) throw wrongFile(`must have ${MAX_LINES} lines or fewer`);
  const problems = problemsOf(lines);
  if (problems.length > 0) throw AppError.validation(problems);
  return lines.map(({ email, name }) => ({ email, name: name || null }));
}

function linesOf(text: string): Line[] {
  const [header, ...rows] = csvRows(text);
  if (!header) return [];
  const columns = columnsOf(header);
  return rows.map(({ line, cells }) => ({
    line,
    email: trimAddress(oneLine(cells[columns.email] ?? '')),
    name: oneLine(columns.name.map((column) => cells[column] ?? '').join(' ')),
  }));
}

const oneLine = (cell: string): string => cell.replace(/\s+/g, ' ').trim();

function columnsOf({ line, cells }: { readonly line: number; readonly cells: readonly string[] }) {
  if (cells.length > MAX_COLUMNS) throw wrongLine(line, `must name ${MAX_COLUMNS} columns or fewer`);
  const names = cells.map((name) => name.toLowerCase().replace(/[\s_-]+/g, ' '));
  const email = EMAIL_HEADERS.find((header) => names.includes(header));
  if (email === undefined || names.indexOf(email) !== names.lastIndexOf(email))
    throw wrongLine(line, 'must name the columns, and exactly one of them must be email');
  const group = NAME_HEADERS.find((headers) => headers.some((header) => names.includes(header))) ?? [];
  const name = group.map((header) => names.indexOf(header)).filter((column) => column >= 0);
  return { email: names.indexOf(email), name };
}

/** Stops when there are as many problems as an error names. */
function problemsOf(lines: readonly Line[]): Problem[] {
  const problems: Problem[] = [];
  for (const line of lines) {
    problems.push(...problemOf(line));
    if (problems.length === MAX_ERROR_FIELDS) break;
  }
  return problems;
}

function problemOf({ line, email, name }: Line): Problem[] {
  const messages: string[] = [];
  if (!isEmail(email, { allow_utf8_local_part: true, require_tld: false }) || !isMailAddress(email))
    messages.push('email must be an e-mail address');
  if ([...name].length > MAX_NAME_LENGTH) messages.push(`name must have ${MAX_NAME_LENGTH} characters or fewer`);
  if (!isStorableText(name) || name.includes('\ufffd')) messages.push('name must be well-formed UTF-8 text');
  if (!isLine(name)) messages.push('name must not contain control characters');
  return messages.length > 0 ? [{ field: `line ${line}`, messages }] : [];
}
