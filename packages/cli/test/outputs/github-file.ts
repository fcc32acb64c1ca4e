/**
 * Reads `$GITHUB_OUTPUT` as the runner does: `name=value`, or `name<<delimiter`, lines, and a line that equals the delimiter.
 * @throws for a line of neither form, and for a delimiter that never comes.
 */
export function readGithubFile(text: string): Map<string, string> {
  const values = new Map<string, string>();
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (line === '') continue;
    const equals = line.indexOf('=');
    const heredoc = line.indexOf('<<');
    if (equals > 0 && (heredoc < 0 || equals < heredoc)) {
      values.set(line.slice(0, equals), line.slice(equals + 1));
      continue;
    }
    if (heredoc <= 0) throw new Error(`Invalid format '${line}'`);
    const delimiter = line.slice(heredoc + 2);
    const end = lines.indexOf(delimiter, index + 1);
    if (delimiter === '' || end < 0) throw new Error(`Matching delimiter not found '${delimiter}'`);
    values.set(line.slice(0, heredoc), lines.slice(index + 1, end).join('\n'));
    index = end;
  }
  return values;
}

export interface WorkflowCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

const decoded = (text: string): string =>
  text
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%25', '%');

/** The commands that the runner finds in a log: `::name key=value::message` at the start of a line, and `##[name]` anywhere. */
export function workflowCommands(log: string): WorkflowCommand[] {
  return log.split(/\r?\n/).flatMap((line) => {
    const old = /##\[(\w+)[^\]]*\](.*)$/.exec(line);
    if (old) return [{ name: old[1] ?? '', properties: {}, message: old[2] ?? '' }];
    const [, name, properties = '', message = ''] = /^\s*::([\w-]+)(?: ([^:]*))?::(.*)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = properties.split(',').map((pair) => pair.split('=') as [string, string?]);
    const entries = pairs.filter(([key]) => key !== '').map(([key, value = '']) => [key.trim(), decoded(value)]);
    return [{ name, properties: Object.fromEntries(entries) as Record<string, string>, message: decoded(message) }];
  });
}
