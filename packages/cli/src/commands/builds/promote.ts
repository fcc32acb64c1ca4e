import { type BuildResponse } from '@agate/client';
import { Command, Option } from 'commander';
import { findChannels } from '../../builds/channels';
import { nameOf } from '../../builds/describe-build';
import { BUILD_ARGUMENT, findBuild } from '../../builds/find-build';
import { promote, type Promotion, undoOf } from '../../builds/promote-build';
import { type Context } from '../../context';
import { severalValues } from '../../option-values';
import { interruptedError, usageError } from '../../output/cli-error';
import { agrees } from '../../terminal/questions';
import { notesOf, type NotesOptions } from '../../upload/notes';

interface Options extends NotesOptions {
  readonly channel?: readonly string[];
  readonly silent?: boolean;
  readonly mandatory?: boolean;
  readonly yes?: boolean;
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
    .option('--yes', 'do not ask before a build is promoted that no device installs')
    .action(async (given: string, { channel, silent, mandatory, yes = false, ...options }: Options) => {
      const names = channel ?? (await context.settings()).channels;
      if (names.length === 0) throw usageError('Name a channel with --channel.');
      const channels = await findChannels(context, names);
      const build = await findBuild(context, given);
      await warnAbout(context, build, yes);
      const notes = await notesOf(context, options, () => Promise.resolve(null));
      const releases: Promotion[] = [];
      for (const each of channels) {
        const release = await promote(context, build.id, each, { notes, silent, mandatory });
        releases.push(release);
        context.output.say(`${nameOf(build)} was promoted to "${each.name}".`);
        context.output.say(`Undo it within a minute: ${undoOf(each, release)}`);
      }
      context.output.print({ ...build, releases }, releases.map(({ install_url: link }) => link ?? '').join('\n'));
    });

/** Writes the warnings of the build. Asks a person before they promote one that no device installs. @throws CliError when they refuse. */
async function warnAbout(context: Context, build: BuildResponse, yes: boolean): Promise<void> {
  for (const { code, message } of build.warnings) context.output.warn(`${message} [${code}]`);
  if (build.installable) return;
  context.output.warn(`No device installs ${nameOf(build)}. Testers are mailed about it unless you use --silent.`);
  if (yes || !context.isInteractive) return;
  if (!(await agrees(context, 'Promote it anyway?'))) throw interruptedError('Nothing was changed.');
}
