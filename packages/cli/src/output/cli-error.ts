import { ExitCode } from './exit-code';

/** A failure that this program explains. `message` says what is wrong, then what to do. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    readonly exitCode: ExitCode,
    /** The machine-readable name of the failure, in the form of the error codes of the API. */
    readonly code: string,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** Options, variables or files are wrong. */
export const usageError = (message: string, details?: Readonly<Record<string, unknown>>): CliError =>
  new CliError(ExitCode.usage, 'usage', message, details);

/** There is no credential, or it is not a valid one. */
export const credentialError = (message: string): CliError =>
  new CliError(ExitCode.notAllowed, 'unauthorized', message);

/** An object that the command names does not exist. */
export const notFoundError = (message: string, details?: Readonly<Record<string, unknown>>): CliError =>
  new CliError(ExitCode.notFound, 'not_found', message, details);

export const interruptedError = (message = 'Interrupted.'): CliError =>
  new CliError(ExitCode.interrupted, 'interrupted', message);
