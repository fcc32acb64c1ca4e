import { createInterface } from 'node:readline';
import { Command, InvalidArgumentError } from 'commander';
import { type Context } from '../context';
import { McpBridge } from '../mcp/mcp-bridge';

const TOOLSETS = ['read', 'write', 'danger'];

export const mcpCommand = (context: Context): Command =>
  new Command('mcp')
    .description('let an agent on this machine use the service (Model Context Protocol on standard input and output)')
    .option(
      '--toolsets <names>',
      'tools that the agent gets: read, write, danger; separated by commas',
      toolsets,
      'read',
    )
    .action((options: { readonly toolsets: string }) => serve(context, options.toolsets));

function toolsets(value: string): string {
  const names = value.split(',').map((each) => each.trim());
  if (names.every((each) => TOOLSETS.includes(each))) return names.join(',');
  throw new InvalidArgumentError(`Choose of ${TOOLSETS.join(', ')}.`);
}

/** Answers lines until the agent closes standard input. */
async function serve(context: Context, names: string): Promise<void> {
  // Fails before the first message when there is no credential.
  await context.client();
  const bridge = new McpBridge(context, names);
  const { stdin, stdout } = context.process;
  const answers = new Set<Promise<void>>();
  for await (const line of createInterface({ input: stdin, crlfDelay: Infinity })) {
    if (line.trim() === '') continue;
    const answered = bridge.answer(line).then((answer) => {
      if (answer !== null) stdout.write(`${JSON.stringify(answer)}\n`);
    });
    answers.add(answered);
    void answered.catch(() => undefined).then(() => answers.delete(answered));
    // The answer to the first message names the revision of the others.
    if (line.includes('"initialize"')) await answered;
  }
  await Promise.all(answers);
}
