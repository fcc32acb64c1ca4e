/** The inputs of a snippet. */
export interface SnippetFacts {
  /** The address of the service. */
  readonly url: string;
  /** The file or folder to upload. */
  readonly artifact: string;
}

/** A CI system that a folder uses. */
export interface CiSystem {
  /** Stable name, for programs and for `--ci`. */
  readonly id: string;
  readonly name: string;
  /** Files and folders that show that the system is used. One suffices. */
  readonly signs: readonly string[];
  /** The place of the snippet. */
  readonly place: string;
  /** The place of the token. */
  readonly secret: string;
  readonly snippet: (facts: SnippetFacts) => string;
}

/**
 * The commands that fetch the command line from the service and upload. The pipeline names the service: the token is not sent to an
 * address that only the project file names.
 */
export const commandsOf = ({ url, artifact }: SnippetFacts, options = ''): readonly string[] => [
  `export AGATE_URL=${quoted(url)}`,
  'curl -fsS -o agate.mjs "$AGATE_URL/cli/agate.mjs"',
  `node agate.mjs upload ${quoted(artifact)}${options}`,
];

/** A word of a shell command. Paths with a variable keep it. */
function quoted(word: string): string {
  if (/^[\w./:@%+,=-]+$/.test(word)) return word;
  return `"${word.replaceAll(/[\\`"]/g, String.raw`\$&`)}"`;
}

/** Indents all lines by spaces. */
export const indented = (lines: readonly string[], spaces: number): string =>
  lines.map((line) => ' '.repeat(spaces) + line).join('\n');
