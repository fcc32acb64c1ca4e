import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type BuildResponse, type Platform, PLATFORMS } from '@agate/client';
import { Command, Option } from 'commander';
import { findChannel } from '../../builds/channels';
import { factsOf, listOf, trashOf } from '../../builds/describe-build';
import { downloadBuild } from '../../builds/download-build';
import { BUILD_ARGUMENT, findBuild } from '../../builds/find-build';
import { localName } from '../../builds/local-name';
import { type Context } from '../../context';
import { itemsOf } from '../../network/pages';
import { wholeNumber } from '../../option-values';
import { usageError } from '../../output/cli-error';
import { notesOf, type NotesOptions } from '../../upload/notes';
import { deleteBuildsCommand } from './delete';
import { restoreBuildsCommand } from './restore';

export const buildsCommand = (context: Context): Command => {
  const command = new Command('builds').description('list, show, download, delete and restore builds');
  const create = [
    listBuildsCommand,
    showBuildCommand,
    buildNotesCommand,
    downloadBuildCommand,
    deleteBuildsCommand,
    restoreBuildsCommand,
  ];
  for (const each of create) command.addCommand(each(context));
  return command;
};

const DEFAULT_LIMIT = 20;
const PAGE_SIZE = 1000;

interface ListOptions {
  readonly platform?: Platform;
  readonly branch?: string;
  readonly commit?: string;
  readonly version?: string;
  readonly channel?: string;
  readonly search?: string;
  readonly deleted?: boolean;
  readonly limit: number;
}

const listBuildsCommand = (context: Context): Command =>
  new Command('list')
    .description('list builds, newest first')
    .addOption(new Option('--platform <platform>', 'builds for this platform only').choices(PLATFORMS))
    .option('--branch <name>', 'builds of this branch only')
    .option('--commit <hash>', 'builds of this commit only')
    .option('--version <version>', 'builds with this version only')
    .option('--channel <name>', 'builds that were promoted to this channel only')
    .option('--search <text>', 'builds whose texts contain this')
    .option('--deleted', 'the builds in the trash instead, with the end of the time for restoring them')
    .addOption(
      new Option('--limit <number>', 'how many at most').argParser(wholeNumber(1, 100_000)).default(DEFAULT_LIMIT),
    )
    .action(async ({ channel, search, deleted, limit, ...filters }: ListOptions) => {
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      const channelId = channel === undefined ? undefined : (await findChannel(context, channel)).id;
      const { platform, branch, commit, version } = filters;
      const query = { ...scope, platform, branch, commit, version, q: search, channel_id: channelId, deleted };
      const builds: BuildResponse[] = [];
      const items = itemsOf(
        (page) => client.request('GET /builds', { query: { ...query, ...page } }),
        Math.min(limit, PAGE_SIZE),
      );
      for await (const build of items) {
        builds.push(build);
        if (builds.length === limit) break;
      }
      context.output.print(builds, deleted ? trashOf(builds) : listOf(builds));
    });

const showBuildCommand = (context: Context): Command =>
  new Command('show')
    .description('show what is known about a build')
    .argument('<build>', BUILD_ARGUMENT)
    .action(async (given: string) => {
      const build = await findBuild(context, given);
      context.output.print(build, factsOf(build));
    });

interface DownloadOptions {
  readonly file?: string;
  readonly force?: boolean;
}

const downloadBuildCommand = (context: Context): Command =>
  new Command('download')
    .description('download the file of a build and check its SHA-256')
    .argument('<build>', BUILD_ARGUMENT)
    .option('--file <file>', 'where to write it; default: its name, in the current folder')
    .option('--force', 'replace a file that exists')
    .action(async (given: string, { file, force = false }: DownloadOptions) => {
      const build = await findBuild(context, given);
      const path = resolve(context.process.cwd, file ?? localName(build));
      const found = statSync(path, { throwIfNoEntry: false });
      if (found?.isDirectory()) throw usageError(`${path} is a folder. Use --file with the name of a file.`);
      if (found && !force) throw usageError(`${path} exists. Use --file or --force.`);
      await downloadBuild(context, build, path);
      context.output.print({ ...build, path }, path);
    });

const buildNotesCommand = (context: Context): Command =>
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
