import { Command, Option } from 'commander';
import { findChannels } from '../../builds/channels';
import { nameOf } from '../../builds/describe-build';
import { BUILD_ARGUMENT, findBuild } from '../../builds/find-build';
import { promote, type Promotion } from '../../builds/promote-build';
import { type Context } from '../../context';
import { severalValues } from '../../option-values';
import { usageError } from '../../output/cli-error';
import { notesOf, type NotesOptions } from '../../upload/notes';

interface Options extends NotesOptions {
  readonly channel?: readonly string[];
  readonly silent?: boolean;
  readonly mandatory?: boolean;
}

export const promoteCommand = (context: Context): Command =>
  new Command('promote')
    .description('make a build the current release of channels, and mail their testers')
    .argument('<build>', BUILD_ARGUMENT)
    .addOption(new Option('--channel <name>', 'promote to this channel; can be repeated').argParser(severalValues))
    .option('--notes <text>', 'what to test, instead of the notes of the build')
    .addOption(new Option('--notes-file <file>', 'read the notes from a file; - is standard input').conflicts('notes'))
    .option('--silent', 'send no mails')
    .option('--mandatory', 'installed apps that check for updates must install the build')
    .action(async (given: string, { channel, silent, mandatory, ...options }: Options) => {
      const names = channel ?? (await context.settings()).channels;
      if (names.length === 0) throw usageError('Name a channel with --channel.');
      const channels = await findChannels(context, names);
      const build = await findBuild(context, given);
      const notes = await notesOf(context, options, () => Promise.resolve(null));
      const releases: Promotion[] = [];
      for (const each of channels) {
        releases.push(await promote(context, build.id, each, { notes, silent, mandatory }));
        context.output.say(`${nameOf(build)} was promoted to "${each.name}".`);
      }
      context.output.print({ ...build, releases }, releases.map(({ install_url: link }) => link ?? '').join('\n'));
    });
