import { Command, Option } from 'commander';
import { BUILD_ARGUMENT, findBuild } from '../../builds/find-build';
import { type Context } from '../../context';
import { type NotesOptions, notesOf } from '../../upload/notes';

export const buildNotesCommand = (context: Context): Command =>
  new Command('notes')
    .description('print the notes of a build, or replace them')
    .argument('<build>', BUILD_ARGUMENT)
    .option('--notes <text>', 'the new notes')
    .addOption(
      new Option('--notes-file <file>', 'read the new notes from a file; - is standard input').conflicts('notes'),
    )
    .action(async (given: string, options: NotesOptions) => {
      const found = await findBuild(context, given);
      const isChange = options.notes !== undefined || options.notesFile !== undefined;
      if (!isChange) return context.output.print(found, found.notes ?? '');
      const notes = (await notesOf(context, options, () => Promise.resolve(null))) ?? null;
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      const request = { path: { build_id: found.id }, query: scope, body: { notes } };
      const build = await client.request('PATCH /builds/{build_id}', request);
      context.output.print(build, build.notes ?? '');
    });
