import { HELP } from '@agate/client';
import { Command } from 'commander';
import { type Context } from '../../context';
import { usageError } from '../../output/cli-error';
import { TOPICS } from './help-topics';
import { WORDS } from './help-words';

/** `agate help`: how to use a command, or the address of the page about a topic. */
export const helpCommand = (context: Context): Command =>
  new Command('help')
    .argument('[topic]', 'a command, a topic, an error code, a warning or a word')
    .description('print how to use a command, or the address of the page about a topic')
    .addHelpText('after', `\nTopics: ${Object.keys(TOPICS).join(', ')}.`)
    .action(async (topic: string | undefined, _options: unknown, command: Command) => {
      const program = command.parent!;
      const about = topic === undefined ? program : program.commands.find((one) => one.name() === topic);
      if (about) return about.outputHelp();
      const address = await addressOf(context, topic!);
      context.output.print({ url: address }, address);
    });

/** @throws CliError when the service is not known, or serves no documents. */
async function addressOf(context: Context, topic: string): Promise<string> {
  const { url } = await context.settings();
  const address = await context.helpAddress(pageOf(topic));
  if (address === null) throw usageError(`${url} is below a path, where the service serves no documents.`);
  return address;
}

function pageOf(topic: string): string {
  if (Object.hasOwn(TOPICS, topic)) return `${HELP}/${TOPICS[topic]}`;
  return Object.hasOwn(WORDS, topic) ? WORDS[topic]! : `${HELP}/search?q=${encodeURIComponent(topic)}`;
}
