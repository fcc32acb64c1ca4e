import { type BuildResponse, type Platform, PLATFORMS } from '@agate/client';
import { Command, Option } from 'commander';
import { findChannel } from '../../builds/channels';
import { factsOf } from '../../builds/describe-build';
import { isMissing } from '../../builds/find-build';
import { type Context } from '../../context';
import { notFoundError, usageError } from '../../output/cli-error';

interface Options {
  readonly channel?: string;
  readonly platform?: Platform;
  readonly branch?: string;
  readonly version?: string;
  readonly field?: string;
  readonly next?: boolean;
}

export const latestCommand = (context: Context): Command =>
  new Command('latest')
    .description('print the newest build, or one of its fields')
    .option('--channel <name>', 'the current build of this channel')
    .addOption(new Option('--platform <platform>', 'for this platform').choices(PLATFORMS))
    .option('--branch <name>', 'of this branch')
    .option('--version <version>', 'with this version')
    .option('--field <name>', 'print this field only, such as build_number or app.bundle_id')
    .addOption(new Option('--next', 'print the build number plus one; 1 when there is no build').conflicts('field'))
    .action(async ({ field, next, ...selection }: Options) => {
      const build = await latestBuild(context, selection);
      if (next) {
        const number = build ? numberAfter(build) : '1';
        return context.output.print({ next_build_number: number }, number);
      }
      if (!build) throw notFoundError('There is no such build.');
      if (field === undefined) return context.output.print(build, factsOf(build));
      const value = fieldOf(build, field);
      context.output.print(value, typeof value === 'string' ? value : JSON.stringify(value));
    });

async function latestBuild(context: Context, { channel, ...rest }: Options): Promise<BuildResponse | null> {
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  const channelId = channel === undefined ? undefined : (await findChannel(context, channel)).id;
  const query = {
    ...scope,
    platform: rest.platform,
    branch: rest.branch,
    version: rest.version,
    channel_id: channelId,
  };
  return client.request('GET /builds/latest', { query }).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
}

/** The build number with its last part increased. @throws CliError when there is none, or when it ends without a number. */
function numberAfter({ build_number: number, version, platform }: BuildResponse): string {
  if (number === null) {
    throw usageError(
      `The build (version ${version}, ${platform}) has no build number. Choose another one with --platform, --branch or --channel.`,
    );
  }
  const [, start = '', last] = /^(.*?)(\d+)$/.exec(number) ?? [];
  if (last === undefined) throw usageError(`The build number "${number}" is not a number. Use --field build_number.`);
  return `${start}${BigInt(last) + 1n}`;
}

/** @throws CliError when the build has no such field. */
function fieldOf(build: BuildResponse, path: string): unknown {
  let value: unknown = build;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
      throw usageError(`A build has no field "${path}". It has ${Object.keys(build).join(', ')}.`);
    }
    value = (value as Record<string, unknown>)[name];
  }
  return value ?? '';
}
