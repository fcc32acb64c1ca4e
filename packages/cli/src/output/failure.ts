import { ApiError } from '@agate/client';
import { CommanderError } from 'commander';
import { CliError, ExitCode } from './cli-error';
import { connectionErrorOf } from './connection-errors';

/** The report of a failed command. */
export interface Failure {
  readonly exitCode: ExitCode;
  readonly error: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** The path of the page of the service that explains the error. Absent when there is none. */
  readonly help?: string;
}

/** The report of any error. Errors that this program does not know are defects. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CliError) {
    const { exitCode, code, message, details } = error;
    return { exitCode, error: code, message, details };
  }
  if (error instanceof ApiError) return failureOfApi(error);
  if (error instanceof CommanderError) {
    // The help was shown, because the arguments name a group of commands or nothing.
    const message = error.code === 'commander.help' ? 'Name a command.' : sentenceOf(error.message);
    return { exitCode: ExitCode.usage, error: 'usage', message, details: {} };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { exitCode: ExitCode.defect, error: 'defect', message: `Unexpected error: ${message}`, details: {} };
}

function failureOfApi(error: ApiError): Failure {
  const { status, code, details } = error;
  const report = {
    exitCode: exitCodeOf(error),
    error: code,
    message: messageOf(error),
    details: { status, ...details },
  };
  return error.help === null ? report : { ...report, help: error.help };
}

/** The exit code of a failed request. */
export function exitCodeOf({ status, reason }: ApiError): ExitCode {
  if ([0, 408, 429, 503].includes(status) || reason === 'idempotency_in_flight') return ExitCode.tryAgain;
  if (status === 401 || status === 403) return ExitCode.notAllowed;
  if (status === 404 || status === 410) return ExitCode.notFound;
  if (status === 402) return ExitCode.noCredit;
  return status >= 500 || status < 400 ? ExitCode.defect : ExitCode.refused;
}

const NEEDS_PERSON =
  'A project access token cannot do this. Unset AGATE_TOKEN and use agate login, or set AGATE_TOKEN to a personal access token.';

/** Whether the route is for developers, and the credential is none of a developer. Its message is about the API, and not about commands. */
const needsPerson = ({ status, code, reason }: ApiError): boolean =>
  status === 403 && code === 'operation_not_allowed' && reason === null;

/** The message of the service, with the fields that it rejects and why there was no connection. */
function messageOf(error: ApiError): string {
  if (needsPerson(error)) return NEEDS_PERSON;
  const { message, fields, cause } = error;
  const rejected = [...fields].map(([field, text]) => `${field}: ${text}`);
  const reason = connectionErrorOf(cause);
  return [message, ...rejected, ...(reason === null ? [] : [`(${reason})`])].join(' ');
}

/** Turns `error: unknown option '--notez'\n(Did you mean --notes?)` into sentences. */
function sentenceOf(message: string): string {
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/[.:]?$/, '.');
  return [sentence, ...rest.map((line) => line.replace(/^\((.*)\)$/, '$1'))].join(' ').trim();
}
