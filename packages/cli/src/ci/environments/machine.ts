/** What the detection reads of the machine. All of it is injected, so that tests replay recorded environments. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The text of a file, or null when it cannot be read. */
  readonly readText: (path: string) => string | null;
  /** The name of a CI that the table of this folder does not contain; null on a desk. */
  readonly otherCi: string | null;
  /** The trimmed output of git in the working folder, or null when git is missing or fails. */
  readonly git: (...args: readonly string[]) => string | null;
}
