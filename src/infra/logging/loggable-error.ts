import { types } from 'node:util';
import { redactEmails, redactTokens } from './masking';

/** An error as it is logged: all that an operator needs, and nothing that somebody sent. */
export interface LoggableError {
  readonly type: string;
  readonly message: string;
  /** Where it was thrown; the message is not repeated. */
  readonly stack?: string;
  /** The SQL that failed, without values. */
  readonly query?: string;
  readonly cause?: LoggableError | string;
  readonly errors?: readonly (LoggableError | string)[];
  readonly [word: string]: unknown;
}

/**
 * Words of PostgreSQL, of the operating system, of stores and of mail servers for what is wrong. An error carries much else
 * (parameters, rows, requests, whole connections), and libraries add to it: so these, and no others.
 */
const WORDS = [
  ...['code', 'severity', 'schema', 'table', 'column', 'constraint', 'dataType', 'routine'],
  ...['errorCase', 'kind', 'status', 'statusCode', 'syscall', 'command', 'responseCode'],
];
const WORD = /^[\w .-]{1,80}$/;

const LONGEST_TEXT = 2_000;
const DEEPEST_CAUSE = 5;
const MAX_ERRORS = 10;

const SQLSTATE = /^[0-9A-Z]{5}$/;
/** Classes whose messages name tables, constraints, roles and states of the server. */
const NAMES_ONLY = /^(08|23|25|28|3D|3F|40|42|53|55|57|58)/;
/** The class whose messages say what is wrong with a value, and repeat it. */
const WRONG_VALUE = /^22/;
/** Where that begins, in whatever language the server speaks. */
const VALUE = /["'`:«»‹›„“”‚‘’「].*$/s;
const LITERAL = /'(?:[^']|'')*'/g;
const FRAME = /^ +at .+$/gm;

/** What of a thrown thing may be written down. Unknown properties are left out: they may be anybody's. */
export function loggableError(thrown: unknown, depth = 0): LoggableError | string {
  if (!isError(thrown)) return typeof thrown === 'string' ? mask(thrown) : `thrown: ${typeof thrown}`;
  const fields = thrown as unknown as Readonly<Record<string, unknown>>;
  const { query, cause, errors } = fields;
  const causes = depth < DEEPEST_CAUSE ? { cause, errors } : {};
  return {
    type: thrown.constructor.name,
    message: messageOf(thrown),
    stack: framesOf(thrown),
    ...Object.fromEntries(WORDS.filter((word) => isWord(fields[word])).map((word) => [word, fields[word]])),
    ...(typeof query === 'string' && { query: mask(query.replace(LITERAL, "'…'")) }),
    ...(causes.cause != null && { cause: loggableError(causes.cause, depth + 1) }),
    ...(Array.isArray(causes.errors) && {
      errors: causes.errors.slice(0, MAX_ERRORS).map((error) => loggableError(error, depth + 1)),
    }),
  };
}

/** Also of another realm, such as a test's. */
export const isError = (value: unknown): value is Error => value instanceof Error || types.isNativeError(value);

/** The message, without what a database repeats of the values it was given. */
export function messageOf(error: Error): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  const isOfPostgres = 'severity' in error && SQLSTATE.test(code);
  if (!isOfPostgres || NAMES_ONLY.test(code)) return mask(error.message);
  return WRONG_VALUE.test(code) ? mask(error.message.replace(VALUE, '…')) : 'not logged: it may repeat what was sent';
}

/** `Name: message` comes before them, in as many lines as the message has. */
function framesOf({ stack = '', message }: Error): string | undefined {
  const begin = stack.indexOf(message);
  const frames = (begin < 0 ? stack : stack.slice(begin + message.length)).match(FRAME);
  return frames?.join('\n');
}

const isWord = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && WORD.test(value));

const mask = (text: string): string => redactEmails(redactTokens(text.slice(0, LONGEST_TEXT)));
