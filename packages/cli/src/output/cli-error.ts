/** The exit codes, by which scripts decide what to do next. Their meaning never changes. */
export const ExitCode = {
  done: 0,
  /** A defect of this program or of the service. */
  defect: 1,
  /** Options, variables or files are wrong. Nothing was sent. */
  usage: 2,
  /** The service rejected the request and will reject it again. */
  refused: 3,
  /** There is no valid credential, or it does not permit this. */
  notAllowed: 4,
  notFound: 5,
  /** The organization's credit or spend cap does not allow this. */
  noCredit: 6,
  /** The service cannot be reached or is overloaded. A retry can succeed. */
  tryAgain: 7,
  interrupted: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** An error with an explanation. `message` says what is wrong, then what to do. */
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

/** The credential is missing or invalid. */
export const credentialError = (message: string): CliError =>
  new CliError(ExitCode.notAllowed, 'unauthorized', message);

/** An object that the command names does not exist. */
export const notFoundError = (message: string, details?: Readonly<Record<string, unknown>>): CliError =>
  new CliError(ExitCode.notFound, 'not_found', message, details);

export const interruptedError = (message = 'Interrupted.'): CliError =>
  new CliError(ExitCode.interrupted, 'interrupted', message);
