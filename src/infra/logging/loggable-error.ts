import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { types } from 'node:util';
import { redactEmails, redactTokens } from './masking';

/** An error as it is logged: enough for an operator, without input of clients. */
interface LoggableError {
  readonly type: string;
  readonly message: string;
  /** The frames only, without the message. */
  readonly stack?: string;
  /** The failed SQL without values. */
  readonly query?: string;
  readonly cause?: LoggableError | string;
  readonly errors?: readonly (LoggableError | string)[];
  readonly [word: string]: unknown;
}

/**
 * The properties that are logged: codes and names from PostgreSQL, the operating system, stores and mail servers. Errors also carry
 * parameters, rows, requests and whole connections, and libraries add more, so this is an allow list.
 */
const LOGGED_FIELDS = [
  ...['code', 'severity', 'schema', 'table', 'column', 'constraint', 'dataType', 'routine'],
  ...['errorCase', 'kind', 'status', 'statusCode', 'syscall', 'command', 'responseCode'],
];
const SHORT_WORD = /^[\w .-]{1,80}$/;

const MAX_TEXT_LENGTH = 2_000;
const MAX_CAUSE_DEPTH = 5;
const MAX_ERRORS = 10;

const SQLSTATE = /^[0-9A-Z]{5}$/;
/** SQLSTATE classes whose messages contain only names of tables, constraints and roles, and states of the server. */
const NAMES_ONLY = /^(08|23|25|28|3D|3F|40|42|53|55|57|58)/;
/** The SQLSTATE class of invalid values. Its messages repeat the value. */
const WRONG_VALUE = /^22/;
/** The start of the repeated value, in every language of PostgreSQL's messages. */
const VALUE = /["'`:«»‹›„“”‚‘’「].*$/s;
const LITERAL = /'(?:[^']|'')*'/g;
const FRAME = /^ +at .+$/gm;

/** The loggable part of a thrown value. Unknown properties are left out, because they may hold personal data. */
export function loggableError(thrown: unknown, depth = 0): LoggableError | string {
  if (!isError(thrown)) return typeof thrown === 'string' ? mask(thrown) : `thrown: ${typeof thrown}`;
  const fields = thrown as unknown as Readonly<Record<string, unknown>>;
  const { query, cause, errors } = fields;
  const causes = depth < MAX_CAUSE_DEPTH ? { cause, errors } : {};
  return {
    type: thrown.constructor.name,
    message: messageOf(thrown),
    stack: framesOf(thrown),
    ...Object.fromEntries(LOGGED_FIELDS.filter((name) => isWord(fields[name])).map((name) => [name, fields[name]])),
    ...(typeof query === 'string' && { query: mask(query.replace(LITERAL, "'…'")) }),
    ...(causes.cause != null && { cause: loggableError(causes.cause, depth + 1) }),
    ...(Array.isArray(causes.errors) && {
      errors: causes.errors.slice(0, MAX_ERRORS).map((error) => loggableError(error, depth + 1)),
    }),
  };
}

/** True for errors of another realm too. */
export const isError = (value: unknown): value is Error => value instanceof Error || types.isNativeError(value);

/** The message without values that PostgreSQL repeats. */
export function messageOf(error: Error): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  const isOfPostgres = 'severity' in error && SQLSTATE.test(code);
  if (!isOfPostgres || NAMES_ONLY.test(code)) return mask(error.message);
  return WRONG_VALUE.test(code) ? mask(error.message.replace(VALUE, '…')) : 'not logged: it may repeat input';
}

/** The frames of a stack, which start after `Name: message`. The message may have several lines. */
function framesOf({ stack = '', message }: Error): string | undefined {
  const begin = stack.indexOf(message);
  const frames = (begin < 0 ? stack : stack.slice(begin + message.length)).match(FRAME);
  return frames ? originalFrames(frames.join('\n')) : undefined;
}

const isWord = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && SHORT_WORD.test(value));

const mask = (text: string): string => redactEmails(redactTokens(text.slice(0, MAX_TEXT_LENGTH)));

/** The origin of each line of a bundle. The build writes it beside the bundle, as JSON. */
interface BundledLines {
  /** Relative to the folder of the bundle. */
  readonly files: readonly string[];
  /** Runs of consecutive lines: first line of the bundle, index of the file, line of the file. In the order of the first lines. */
  readonly runs: readonly (readonly [bundled: number, file: number, line: number])[];
}

/** The suffix of the file with the lines of a bundle. */
const LINES_SUFFIX = '.lines.json';
const PLACE = /((?:[A-Za-z]:)?[^\s():]+[\\/]service\.js):(\d+):\d+/g;
const known = new Map<string, BundledLines | null>();

/** Replaces places in the bundle of the service by the file and line that they were built from. Other frames stay as they are. */
export const originalFrames = (frames: string): string =>
  frames.replace(PLACE, (place, bundle: string, line: string) => {
    const lines = linesOf(bundle);
    return (lines && originOf(Number(line), lines, dirname(bundle))) ?? place;
  });

/** Read when the first error is logged. */
function linesOf(bundle: string): BundledLines | null {
  const kept = known.get(bundle);
  if (kept !== undefined) return kept;
  const lines = readLines(bundle);
  known.set(bundle, lines);
  return lines;
}

function readLines(bundle: string): BundledLines | null {
  try {
    return JSON.parse(readFileSync(bundle + LINES_SUFFIX, 'utf8')) as BundledLines;
  } catch {
    return null;
  }
}

/** The file and line of a line of the bundle. Undefined for lines that the bundler added before the first module. */
function originOf(line: number, { files, runs }: BundledLines, folder: string): string | undefined {
  let [from, to] = [0, runs.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (runs[middle]![0] <= line) from = middle + 1;
    else to = middle;
  }
  const run = runs[from - 1];
  return run && `${resolve(folder, files[run[1]] ?? '')}:${run[2] + line - run[0]}`;
}
