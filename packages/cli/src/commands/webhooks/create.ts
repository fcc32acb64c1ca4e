import { PLATFORMS, type RequestOf } from '@agate/client';
import { Command, Option } from 'commander';
import { allChannels } from '../../builds/channels';
import { type Context } from '../../context';
import { withSession } from '../../login/password-login';
import { severalValues } from '../../option-values';
import { notFoundError, usageError } from '../../output/cli-error';
import { isId, withName } from '../../settings/scope';
import { webhookScope } from './find-webhook';

type Draft = NonNullable<RequestOf<'POST /webhooks'>['body']>;

const FORMATS = ['standard', 'slack', 'teams', 'discord', 'google_chat'] as const;

interface Options {
  readonly name?: string;
  readonly format: (typeof FORMATS)[number];
  readonly event?: readonly string[];
  readonly channel?: readonly string[];
  readonly platform?: readonly string[];
  readonly branch?: readonly string[];
  readonly includeLinks?: boolean;
  readonly email?: string;
}

export const createWebhookCommand = (context: Context): Command =>
  new Command('create')
    .description('create a webhook and print its secret; asks for your password, because tokens cannot create one')
    .argument('<address>', 'where messages are sent')
    .option('--name <name>', 'default: the host of the address')
    .addOption(new Option('--format <format>', 'the form of the messages').choices(FORMATS).default('standard'))
    .addOption(new Option('--event <types>', 'default: build.uploaded, release.promoted').argParser(severalValues))
    .addOption(new Option('--channel <names>', 'only events of these channels').argParser(severalValues))
    .addOption(new Option('--platform <platforms>', 'only builds of these platforms').argParser(severalValues))
    .addOption(new Option('--branch <patterns>', 'only builds of these branches: release/*').argParser(severalValues))
    .option('--include-links', 'include install links in the messages; everyone who reads them can install the build')
    .option('--email <address>', 'the account')
    .action(async (address: string, options: Options) => {
      const body = await draftOf(context, address, options);
      const { url } = await context.settings();
      const created = await withSession(context, { url, email: options.email }, async ({ client }) =>
        client.request('POST /webhooks', { query: await webhookScope(context, client), body }),
      );
      context.output.say(`"${created.name}" was created. Its id is ${created.id}, and its secret:`);
      context.output.print(created, created.secret);
    });

async function draftOf(context: Context, address: string, options: Options): Promise<Draft> {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url) throw usageError(`"${address}" is not an address. It begins with https://.`);
  const { event = ['build.uploaded', 'release.promoted'], platform = [], branch = [], includeLinks = false } = options;
  const unknown = platform.find((one) => !(PLATFORMS as readonly string[]).includes(one));
  if (unknown !== undefined) throw usageError(`"${unknown}" is not a platform. Use one of ${PLATFORMS.join(', ')}.`);
  const draft = {
    name: options.name ?? url.host,
    url: address,
    format: options.format,
    types: [...event],
    filter: {
      channel_ids: await channelIdsOf(context, options.channel ?? []),
      ...(platform.length > 0 && { platforms: [...platform] }),
      branches: [...branch],
    },
    include_links: includeLinks,
  };
  // The service rejects a type that it does not know, and lists those that it does.
  return draft as Draft;
}

async function channelIdsOf(context: Context, wanted: readonly string[]): Promise<string[]> {
  if (wanted.every(isId)) return [...wanted];
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  const all = await allChannels(client, scope);
  return wanted.map((name) => {
    const found = isId(name) ? name : withName(all, name)[0]?.id;
    if (found === undefined) throw notFoundError(`There is no channel "${name}".`);
    return found;
  });
}
