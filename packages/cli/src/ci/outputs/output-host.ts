/** What publishing needs of the machine and the process. */
export interface OutputHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether standard output must contain one JSON document only. */
  readonly isJson: boolean;
  /** @throws when the file cannot be written. */
  readonly appendFile: (path: string, text: string) => void;
  /** @throws when the file cannot be written. */
  readonly writeFile: (path: string, text: string) => void;
  /** Writes a line to the log of the step. */
  readonly writeLine: (stream: 'stdout' | 'stderr', line: string) => void;
  /** Runs a program with a text as standard input. Returns false when it is missing or fails. */
  readonly run: (command: string, args: readonly string[], input: string) => boolean;
  readonly randomId: () => string;
}
