import { type LinkResponse } from '@agate/client';
import { Command } from 'commander';
import { findChannel } from '../../builds/channels';
import { BUILD_ARGUMENT, findBuild } from '../../builds/find-build';
import { type Context } from '../../context';
import { allItemsOf } from '../../network/pages';
import { notFoundError, usageError } from '../../output/cli-error';
import { tableOf } from '../../output/table';
import { confirm } from '../../terminal/questions';
import { type RuleOptions, rulesOf, withRuleOptions } from './link-rules';

export const linksCommand = (context: Context): Command => {
  const command = new Command('links').description('manage the links of builds and channels, and their rules');
  for (const create of [listCommand, createCommand, updateCommand, rotateCommand, deleteCommand])
    command.addCommand(create(context));
  return command;
};

interface TargetOptions {
  readonly build?: string;
  readonly channel?: string;
}

/** A command about the links of a build or channel. */
const targetCommand = (name: string): Command =>
  new Command(name).option('--build <build>', BUILD_ARGUMENT).option('--channel <name>', 'name or id of the channel');

/** @throws CliError unless exactly one of them is named and exists. */
async function targetOf(context: Context, { build, channel }: TargetOptions) {
  if ((build === undefined) === (channel === undefined)) throw usageError('Name either --build or --channel.');
  return channel === undefined
    ? { build_id: (await findBuild(context, build ?? 'latest')).id }
    : { channel_id: (await findChannel(context, channel)).id };
}

async function linksOf(context: Context, options: TargetOptions): Promise<LinkResponse[]> {
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  const target = await targetOf(context, options);
  return allItemsOf((page) => client.request('GET /links', { query: { ...scope, ...target, ...page } }));
}

const listCommand = (context: Context): Command =>
  targetCommand('list')
    .description('list the links of a build or channel with their rules')
    .action(async (options: TargetOptions) => {
      const links = await linksOf(context, options);
      context.output.print(links, tableOf(links.map(rowOf)));
    });

const rowOf = (link: LinkResponse): string[] => [
  link.name ?? (link.is_default ? 'default' : ''),
  link.access,
  link.state === 'live' ? (link.expires_at === null ? '' : `until ${link.expires_at.slice(0, 10)}`) : link.state,
  link.max_downloads === null ? '' : `${link.used_downloads} of ${link.max_downloads}`,
  link.id,
  link.install_url ?? '',
];

const createCommand = (context: Context): Command =>
  withRuleOptions(targetCommand('create'))
    .description('create a link of a build or channel and print its address')
    .requiredOption('--name <name>', 'your name for the link; visitors do not see it')
    .action(async (options: TargetOptions & RuleOptions & { readonly name: string }) => {
      const [client, query] = await Promise.all([context.client(), context.scope()]);
      const target = await targetOf(context, options);
      const body = { ...target, name: options.name, ...(await rulesOf(context, options)) };
      const link = await client.request('POST /links', { query, body });
      context.output.print(link, link.install_url ?? link.id);
    });

const updateCommand = (context: Context): Command =>
  withRuleOptions(targetCommand('update'))
    .argument('<link>', 'name or id; default is the default link')
    .description('rename a link or change its rules; "none" removes one')
    .option('--name <name>', 'the new name')
    .action(async (wanted: string, options: TargetOptions & RuleOptions & { readonly name?: string }) => {
      const { id } = await findLink(context, wanted, options);
      const [client, query] = await Promise.all([context.client(), context.scope()]);
      const body = { ...(options.name !== undefined && { name: options.name }), ...(await rulesOf(context, options)) };
      const link = await client.request('PATCH /links/{link_id}', { path: { link_id: id }, query, body });
      context.output.print(link, tableOf([rowOf(link)]));
    });

const rotateCommand = (context: Context): Command =>
  targetCommand('rotate')
    .argument('<link>', 'name or id; default is the default link')
    .description('replace the address of a link; the old one stops working immediately')
    .option('--yes', 'do not ask')
    .action(async (wanted: string, options: TargetOptions & { readonly yes?: boolean }) => {
      const { id } = await findLink(context, wanted, options);
      await confirm(context, 'The present address will stop working.', options.yes ?? false);
      const [client, query] = await Promise.all([context.client(), context.scope()]);
      const link = await client.request('POST /links/{link_id}/rotate', { path: { link_id: id }, query });
      context.output.print(link, link.install_url ?? link.id);
    });

const deleteCommand = (context: Context): Command =>
  targetCommand('delete')
    .argument('<link>', 'name or id')
    .description('delete a link; its address stops working immediately')
    .option('--yes', 'do not ask')
    .action(async (wanted: string, options: TargetOptions & { readonly yes?: boolean }) => {
      const link = await findLink(context, wanted, options);
      await confirm(context, 'The address of the link will stop working.', options.yes ?? false);
      const [client, query] = await Promise.all([context.client(), context.scope()]);
      await client.request('DELETE /links/{link_id}', { path: { link_id: link.id }, query });
      context.output.print(link, 'The link was deleted.');
    });

/** The link of a build or channel with a name, or with an id. @throws CliError when there is none, or several have the name. */
async function findLink(context: Context, wanted: string, options: TargetOptions): Promise<LinkResponse> {
  const links = await linksOf(context, options);
  const byId = links.find(({ id }) => id === wanted);
  const named = links.filter(({ name, is_default }) => name === wanted || (wanted === 'default' && is_default));
  if (!byId && named.length > 1) throw usageError(`Several links have the name "${wanted}". Use the id.`);
  const link = byId ?? named[0];
  if (!link) throw notFoundError(`There is no link "${wanted}". Use agate links list.`);
  return link;
}
