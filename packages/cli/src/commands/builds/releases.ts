import { type Client, type Platform, PLATFORMS, type ReleaseResponse } from '@agate/client';
import { Command, Option } from 'commander';
import { channelOrOnly } from '../../builds/channels';
import { versionOf } from '../../builds/describe-build';
import { type Context } from '../../context';
import { itemsOf } from '../../network/pages';
import { wholeNumber } from '../../option-values';
import { notFoundError, usageError } from '../../output/cli-error';
import { tableOf } from '../../output/table';
import { isId, type ProjectScope } from '../../settings/scope';
import { confirm } from '../../terminal/questions';

export const releasesCommand = (context: Context): Command => {
  const command = new Command('releases').description('see, undo and withdraw what was promoted to a channel');
  for (const create of [listReleasesCommand, undoReleaseCommand, withdrawReleaseCommand])
    command.addCommand(create(context));
  return command;
};

const DEFAULT_LIMIT = 20;

interface ListOptions {
  readonly channel?: string;
  readonly platform?: Platform;
  readonly limit: number;
}

const listReleasesCommand = (context: Context): Command =>
  new Command('list')
    .description('list the releases of a channel, newest first')
    .option('--channel <name>', 'name or id; default: the one of .agate.json, or the only one')
    .addOption(new Option('--platform <platform>', 'releases of this platform only').choices(PLATFORMS))
    .addOption(
      new Option('--limit <number>', 'how many at most').argParser(wholeNumber(1, 100_000)).default(DEFAULT_LIMIT),
    )
    .action(async ({ channel, platform, limit }: ListOptions) => {
      const { id } = await channelOrOnly(context, channel);
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      const query = { ...scope, channel_id: id, ...(platform && { platform }) };
      const releases: ReleaseResponse[] = [];
      const pages = itemsOf(
        (page) => client.request('GET /releases', { query: { ...query, ...page } }),
        Math.min(limit, 1000),
      );
      for await (const release of pages) {
        releases.push(release);
        if (releases.length === limit) break;
      }
      context.output.print(releases, tableOf(releases.map(rowOf)));
    });

const rowOf = ({ sequence, current, platform, build, promoted_at, id }: ReleaseResponse): string[] => [
  `#${sequence}`,
  current ? 'current' : '',
  platform,
  versionOf(build),
  promoted_at,
  id,
];

interface ChosenRelease {
  readonly channel?: string;
  readonly platform?: Platform;
}

const undoReleaseCommand = (context: Context): Command =>
  new Command('undo')
    .description('take a promotion back within a minute, before its mails go out')
    .argument('[release]', 'id, number such as 7, or current', 'current')
    .option('--channel <name>', 'name or id; default: the one of .agate.json, or the only one')
    .addOption(new Option('--platform <platform>', 'with current: of this platform').choices(PLATFORMS))
    .action(async (given: string, { channel: name, platform }: ChosenRelease) => {
      const channel = await channelOrOnly(context, name);
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      const query = { ...scope, channel_id: channel.id };
      const undone = await releaseOf(client, query, given, platform);
      const path = { release_id: undone.id };
      const { current } = await client.request('POST /releases/{release_id}/undo', { path, query });
      const now = current
        ? `${versionOf(current.build)} is current again`
        : `nothing is current for ${undone.platform}`;
      const text = `${versionOf(undone.build)} was taken back from "${channel.name}": ${now}. No mail about it is sent.`;
      context.output.print({ undone, current }, text);
    });

interface WithdrawOptions extends ChosenRelease {
  readonly yes?: boolean;
}

const withdrawReleaseCommand = (context: Context): Command =>
  new Command('withdraw')
    .description('delete a release, so that testers get the one before it; no mail is sent')
    .argument('<release>', 'id, number such as 7, or current')
    .option('--channel <name>', 'name or id; default: the one of .agate.json, or the only one')
    .addOption(new Option('--platform <platform>', 'with current: of this platform').choices(PLATFORMS))
    .option('--yes', 'do not ask')
    .action(async (given: string, { channel: name, platform, yes = false }: WithdrawOptions) => {
      const channel = await channelOrOnly(context, name);
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      const query = { ...scope, channel_id: channel.id };
      const release = await releaseOf(client, query, given, platform);
      const { sequence } = release;
      await confirm(context, `This withdraws #${sequence}, ${versionOf(release.build)}, from "${channel.name}".`, yes);
      await client.request('DELETE /releases/{release_id}', { path: { release_id: release.id }, query });
      context.output.print(release, `#${sequence} was withdrawn.`);
    });

/** @throws CliError when the channel has no such release. */
async function releaseOf(
  client: Client,
  query: ProjectScope & { readonly channel_id: string },
  given: string,
  platform: Platform | undefined,
): Promise<ReleaseResponse> {
  if (isId(given)) return client.request('GET /releases/{release_id}', { path: { release_id: given }, query });
  if (given === 'current') return currentOf(await client.request('GET /releases/current/all', { query }), platform);
  const sequence = Number(given.replace(/^#/, ''));
  if (!Number.isInteger(sequence)) throw usageError(`"${given}" is not a release. Use an id, a number, or current.`);
  for await (const release of itemsOf((page) => client.request('GET /releases', { query: { ...query, ...page } }))) {
    if (release.sequence === sequence) return release;
  }
  throw notFoundError(`The channel has no release #${sequence}.`);
}

/** @throws CliError without a current release, and for several. */
export function currentOf(current: readonly ReleaseResponse[], platform: Platform | undefined): ReleaseResponse {
  const found = current.filter((release) => platform === undefined || release.platform === platform);
  if (found.length > 1) {
    throw usageError(
      `There is a current release of ${found.map((each) => each.platform).join(' and ')}. Use --platform.`,
    );
  }
  if (found[0]) return found[0];
  throw notFoundError('The channel has no current release.');
}
