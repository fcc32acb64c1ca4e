/** The exit codes, by which scripts decide what to do next. They never change their meaning. */
export const ExitCode = {
  done: 0,
  /** A defect of this program or of the service. */
  defect: 1,
  /** Options, variables or files are wrong. Nothing was sent. */
  usage: 2,
  /** The service refused the request and will refuse it again. */
  refused: 3,
  /** There is no valid credential, or it does not allow this. */
  notAllowed: 4,
  notFound: 5,
  /** The organization's credit or spend cap does not allow this. */
  noCredit: 6,
  /** The service cannot be reached or is overloaded. Another try can succeed. */
  tryAgain: 7,
  interrupted: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
