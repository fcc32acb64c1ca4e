import { readFile, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import {
  type AdoptionFilter,
  type ChannelResponse,
  type ImportedTestersResponse,
  type Platform,
  PLATFORMS,
  type TesterResponse,
  type TesterState,
} from '@agate/client';
import { Command, Option } from 'commander';
import { channelOrOnly, findChannels } from '../builds/channels';
import { type Context } from '../context';
import { csvRecords } from '../imports/folder/csv-records';
import { allItemsOf } from '../network/pages';
import { severalValues } from '../option-values';
import { notFoundError, usageError } from '../output/cli-error';
import { tableOf } from '../output/table';
import { confirm } from '../terminal/questions';
import { currentOf } from './builds/releases';
import { remindTestersCommand } from './remind';

export const testersCommand = (context: Context): Command => {
  const command = new Command('testers').description('manage the people who install builds');
  for (const create of [
    listTestersCommand,
    addTestersCommand,
    removeTestersCommand,
    inviteTestersCommand,
    remindTestersCommand,
    importTestersCommand,
    exportTestersCommand,
  ]) {
    command.addCommand(create(context));
  }
  return command;
};

const STATES: readonly TesterState[] = ['added', 'invited', 'opened', 'has_current', 'behind', 'left', 'bounced'];

const STEPS: readonly AdoptionFilter[] = [
  'has_it',
  'has_not',
  'downloaded',
  'bounced',
  'opened',
  'mailed',
  'not_mailed',
];

interface FilterOptions {
  readonly channel?: string;
  readonly state?: TesterState;
  readonly hasNot?: 'current';
  readonly adoption?: AdoptionFilter;
  readonly release?: string;
  readonly build?: string;
  readonly platform?: Platform;
}

const withFilters = (command: Command): Command =>
  command
    .option('--channel <name>', 'subscribers of this channel only')
    .addOption(new Option('--state <state>', 'testers in this state only').choices(STATES))
    .addOption(new Option('--has-not <what>', 'testers who lack the current build only').choices(['current']))
    .addOption(
      new Option('--adoption <step>', 'testers who got this far with the current build of --channel').choices(STEPS),
    )
    .addOption(new Option('--release <id>', 'with --adoption: with the build of this release').conflicts('build'))
    .option('--build <id>', 'with --adoption: with this build')
    .addOption(new Option('--platform <platform>', 'with --adoption and --channel').choices(PLATFORMS));

/** The parameters of the filters. @throws CliError when they contradict each other, or name nothing. */
async function queryOf(context: Context, { channel, state, hasNot, ...options }: FilterOptions) {
  const [subscribed] = await findChannels(context, channel === undefined ? [] : [channel]);
  return {
    ...(await context.scope()),
    ...(subscribed && { channel_id: subscribed.id }),
    ...(state && { state }),
    ...(hasNot && { has_not: hasNot }),
    ...(await adoptionOf(context, options, subscribed)),
  };
}

async function adoptionOf(
  context: Context,
  { adoption, release, build, platform }: Omit<FilterOptions, 'channel' | 'state' | 'hasNot'>,
  channel: ChannelResponse | undefined,
) {
  const named = { ...(release && { release_id: release }), ...(build && { build_id: build }) };
  if (adoption === undefined || release !== undefined || build !== undefined)
    return { ...named, ...(adoption && { adoption }) };
  if (!channel) throw usageError('--adoption needs --channel, --release or --build.');
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  const query = { ...scope, channel_id: channel.id };
  const { id } = currentOf(await client.request('GET /releases/current/all', { query }), platform);
  return { adoption, release_id: id };
}

const listTestersCommand = (context: Context): Command =>
  withFilters(new Command('list'))
    .description('list testers, newest first')
    .action(async (options: FilterOptions) => {
      const [client, query] = await Promise.all([context.client(), queryOf(context, options)]);
      const testers = await allItemsOf((page) => client.request('GET /testers', { query: { ...query, ...page } }));
      const rows = testers.map((tester) => [tester.email, tester.name ?? '', stateOf(tester)]);
      context.output.print(testers, tableOf(rows));
    });

/** `bounced 5.1.1`: the mail server gave this reason. */
const stateOf = ({ state, bounce_code: code }: TesterResponse): string =>
  state === 'bounced' && code ? `bounced ${code}` : (state ?? '');

interface AddOptions {
  readonly name?: string;
  readonly channel?: readonly string[];
  readonly dryRun?: boolean;
}

const addTestersCommand = (context: Context): Command =>
  new Command('add')
    .description('add testers; no mail is sent')
    .argument('<email...>', 'addresses')
    .option('--name <name>', 'name of the tester, with one address')
    .option('--channel <name>', 'channels to subscribe them to; can be repeated', severalValues)
    .option('--dry-run', 'check and count, but change nothing')
    .action(async (emails: string[], { name, channel = [], dryRun = false }: AddOptions) => {
      if (name !== undefined && emails.length > 1) throw usageError('Use --name with one address only.');
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      const channels = await findChannels(context, channel);
      const testers = emails.map((email) => ({ email, ...(name !== undefined && { name }) }));
      const added = await addToChannels(channels, (channelId) =>
        client.request('POST /testers/batch', {
          query: { ...scope, ...(channelId !== undefined && { channel_id: channelId }), dry_run: dryRun },
          body: { testers },
        }),
      );
      printAdded(context, added, dryRun);
    });

interface ImportOptions {
  readonly channel?: readonly string[];
  readonly dryRun?: boolean;
}

const importTestersCommand = (context: Context): Command =>
  new Command('import')
    .description('add the testers of a CSV file, all or none; no mail is sent')
    .argument('<file>', 'CSV file with the column email and optionally name; - reads standard input')
    .option('--channel <name>', 'channels to subscribe them to; can be repeated', severalValues)
    .option('--dry-run', 'check and count, but change nothing')
    .action(async (file: string, { channel = [], dryRun = false }: ImportOptions) => {
      const body = await contentOf(context, file);
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      const channels = await findChannels(context, channel);
      const added = await addToChannels(channels, (channelId) =>
        client.request('POST /testers/import', {
          query: { ...scope, ...(channelId !== undefined && { channel_id: channelId }), dry_run: dryRun },
          headers: { 'Content-Type': 'text/csv' },
          body,
        }),
      );
      printAdded(context, added, dryRun);
    });

async function contentOf({ process }: Context, file: string): Promise<Blob> {
  if (file === '-') return new Blob([await buffer(process.stdin)]);
  try {
    return new Blob([await readFile(file)]);
  } catch (error) {
    throw usageError(`"${file}" cannot be read: ${(error as Error).message}`);
  }
}

/** Requests one addition of testers. The channel is undefined when they subscribe to none. */
type AddTo = (channelId: string | undefined) => Promise<ImportedTestersResponse>;

/**
 * Adds testers and subscribes them to channels: one request per channel, of which the first adds the testers.
 * @returns the outcome of each tester in the first request.
 */
async function addToChannels(channels: readonly ChannelResponse[], addTo: AddTo): Promise<ImportedTestersResponse> {
  const [first, ...others] = channels;
  const added = await addTo(first?.id);
  for (const { id } of others) await addTo(id);
  return added;
}

/** Prints the outcome of each tester. */
function printAdded(context: Context, added: ImportedTestersResponse, dryRun: boolean): void {
  const { created, existing, suppressed, testers } = added;
  const left = testers.filter(({ outcome }) => outcome === 'suppressed').map(({ email }) => email);
  if (left.length > 0) {
    const shown = left.slice(0, 5).join(', ') + (left.length > 5 ? ', …' : '');
    context.output.warn(`${shown}: unsubscribed before. Only they can resubscribe, through their own link.`);
  }
  const counts = `${created} ${dryRun ? 'would be added' : 'added'}, ${existing} existed, ${suppressed} unsubscribed before.`;
  context.output.print({ ...added, dry_run: dryRun }, counts);
}

const exportTestersCommand = (context: Context): Command =>
  withFilters(new Command('export'))
    .description('write testers as a CSV file with what they have, which can be imported again')
    .argument('[file]', 'where to write it; default: standard output')
    .action(async (file: string | undefined, options: FilterOptions) => {
      const [client, query] = await Promise.all([context.client(), queryOf(context, options)]);
      const csv = await client.request('GET /testers/export', { query });
      const testers = csvRecords(csv).map(({ cells }) => cells);
      if (file === undefined) return context.output.print(testers, csv);
      // The file contains addresses of people, so only its owner may read it.
      await writeFile(file, csv, { mode: 0o600 }).catch((error: Error) => {
        throw usageError(`"${file}" cannot be written: ${error.message}`);
      });
      context.output.print({ file, testers: testers.length }, `${testers.length} testers are in ${file}.`);
    });

interface InviteOptions {
  readonly channel?: string;
  readonly build?: string;
}

const inviteTestersCommand = (context: Context): Command =>
  new Command('invite')
    .description('mail testers a link of their own that opens a channel or a build')
    .argument('<email...>', 'addresses')
    .addOption(new Option('--channel <name>', 'channel that the link opens').conflicts('build'))
    .option('--build <id>', 'build that the link opens')
    .action(async (emails: string[], { channel, build }: InviteOptions) => {
      const opens =
        build === undefined
          ? { query: { channel_id: (await channelOrOnly(context, channel)).id }, body: {} }
          : { query: {}, body: { build_id: build } };
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      for (const { id } of await findTesters(context, emails)) {
        await client.request('POST /testers/{tester_id}/invite', {
          path: { tester_id: id },
          query: { ...scope, ...opens.query },
          body: opens.body,
        });
      }
      context.output.print({ invited: emails.length }, `${emails.length} invited.`);
    });

interface RemoveOptions {
  readonly channel?: readonly string[];
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

const removeTestersCommand = (context: Context): Command =>
  new Command('remove')
    .description('remove testers from the project, with their links; with --channel: unsubscribe them only')
    .argument('<email...>', 'addresses')
    .option('--channel <name>', 'channels to unsubscribe them from; can be repeated', severalValues)
    .option('--dry-run', 'check and count, but change nothing')
    .option('--yes', 'do not ask')
    .action(async (emails: string[], { channel = [], dryRun = false, yes = false }: RemoveOptions) => {
      const channels = await findChannels(context, channel);
      const testers = await findTesters(context, emails);
      if (!dryRun) {
        if (channels.length === 0) await removed(context, testers, yes);
        else await unsubscribed(context, testers, channels);
      }
      const done = channels.length === 0 ? 'removed' : 'unsubscribed';
      const text = `${testers.length} ${dryRun ? 'would be ' : ''}${done}.`;
      context.output.print({ [done]: testers.length, dry_run: dryRun }, text);
    });

async function removed(context: Context, testers: readonly TesterResponse[], yes: boolean): Promise<void> {
  const who = testers.length === 1 ? testers[0]!.email : `${testers.length} testers`;
  await confirm(context, `This removes ${who} with all links and subscriptions.`, yes);
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  for (const { id } of testers) {
    await client.request('DELETE /testers/{tester_id}', { path: { tester_id: id }, query: scope });
  }
}

async function unsubscribed(
  context: Context,
  testers: readonly TesterResponse[],
  channels: readonly { readonly id: string }[],
): Promise<void> {
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  for (const { id } of channels) {
    await client.request('PUT /channels/{channel_id}/subscribers', {
      path: { channel_id: id },
      query: scope,
      body: { remove: testers.map((tester) => tester.id) },
    });
  }
}

/** The testers with these addresses. @throws CliError that names all addresses that the project does not have. */
async function findTesters(context: Context, emails: readonly string[]): Promise<TesterResponse[]> {
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  const testers: TesterResponse[] = [];
  const unknown: string[] = [];
  for (const email of emails) {
    const { items } = await client.request('GET /testers', { query: { ...scope, email } });
    if (items[0]) testers.push(items[0]);
    else unknown.push(email);
  }
  if (unknown.length === 0) return testers;
  throw notFoundError(`The project has no tester ${unknown.join(', ')}. Nothing was changed.`, { emails: unknown });
}
