import { type Platform, PLATFORMS, type RequestOf, type ResponseOf } from '@agate/client';
import { Command, Option } from 'commander';
import { nameOf } from '../../builds/describe-build';
import { BUILD_ARGUMENT, findBuild } from '../../builds/find-build';
import { showPreview } from '../../builds/show-preview';
import { type Context } from '../../context';
import { ageOf } from '../../option-values';
import { usageError } from '../../output/cli-error';
import { isId } from '../../settings/scope';
import { confirm } from '../../terminal/questions';

type Filter = RequestOf<'POST /builds/delete/preview'>['body']['filter'];
type Deletions = ResponseOf<'POST /builds/delete'>;

interface DeleteOptions {
  readonly branch?: string;
  readonly platform?: Platform;
  readonly version?: string;
  readonly older?: number;
  readonly dryRun?: boolean;
  readonly permanently?: boolean;
  readonly yes?: boolean;
}

export const deleteBuildsCommand = (context: Context): Command =>
  new Command('delete')
    .description('move builds to the trash, where they can be restored for seven days')
    .argument('[build...]', BUILD_ARGUMENT)
    .option('--branch <pattern>', 'the builds of these branches: main, or pr-*')
    .addOption(new Option('--platform <platform>', 'the builds for this platform').choices(PLATFORMS))
    .option('--version <version>', 'the builds with this version')
    .addOption(new Option('--older <age>', 'the builds that are older: 30d, or 12h').argParser(ageOf))
    .option('--dry-run', 'only show which builds the options select')
    .option('--permanently', 'delete their files now; they cannot be restored')
    .option('--yes', 'do not ask')
    .action(async (given: readonly string[], options: DeleteOptions) => {
      const filter = filterOf(options);
      if (given.length > 0 && filter) throw usageError('Name builds, or select them with options, not both.');
      if (filter) return deleteMatching(context, filter, options);
      if (given.length === 0)
        throw usageError('Name builds, or select them with --branch, --platform, --version or --older.');
      if (options.dryRun) throw usageError('--dry-run shows what other options select. Use --branch or --older.');
      await deleteNamed(context, given, options);
    });

/** Null when no option selects builds. */
function filterOf({ branch, platform, version, older }: DeleteOptions): Filter | null {
  if ([branch, platform, version, older].every((value) => value === undefined)) return null;
  const to = older === undefined ? undefined : new Date(Date.now() - older).toISOString();
  return { branch, platform, version, to };
}

async function deleteNamed(
  context: Context,
  given: readonly string[],
  { permanently, yes = false }: DeleteOptions,
): Promise<void> {
  const builds = await Promise.all(given.map((each) => findBuild(context, each)));
  const names = builds.map((build) => `${nameOf(build)} (${build.id})`).join(', ');
  await confirm(context, permanently ? `This deletes ${names} permanently.` : `This moves ${names} to the trash.`, yes);
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  for (const { id } of builds)
    await client.request('DELETE /builds/{build_id}', { path: { build_id: id }, query: { ...scope, permanently } });
  context.output.print(builds, builds.map(({ id }) => id).join('\n'));
}

/** One request deletes some hundred builds, so it is repeated until none remains. */
async function deleteMatching(
  context: Context,
  filter: Filter,
  { dryRun, permanently, yes = false }: DeleteOptions,
): Promise<void> {
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  const preview = await client.request('POST /builds/delete/preview', { query: scope, body: { filter } });
  if (dryRun || preview.builds === 0) return showPreview(context, preview);
  const what = `${preview.builds === 1 ? '1 build' : `${preview.builds} builds`}`;
  await confirm(context, permanently ? `This deletes ${what} permanently.` : `This moves ${what} to the trash.`, yes);
  const deleted: Deletions['builds'] = [];
  for (let remaining = 1; remaining > 0;) {
    const body = { filter, fingerprint: preview.fingerprint, permanently };
    const step: Deletions = await client.request('POST /builds/delete', { query: scope, body });
    deleted.push(...step.builds);
    remaining = step.deleted === 0 ? 0 : step.remaining;
  }
  const ids = deleted.flatMap(({ id, outcome }) => (outcome === 'deleted' ? [id] : []));
  context.output.print({ deleted: ids.length, builds: deleted }, ids.join('\n'));
}

export const restoreBuildsCommand = (context: Context): Command =>
  new Command('restore')
    .description('restore builds from the trash, with their install links')
    .argument('<id...>', 'the ids of the builds: agate builds list --deleted')
    .action(async (ids: readonly string[]) => {
      const unknown = ids.find((id) => !isId(id));
      if (unknown !== undefined) throw usageError(`"${unknown}" is not the id of a build.`);
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      const restored = await client.request('POST /builds/restore', { query: scope, body: { ids: [...ids] } });
      context.output.print(restored, restored.builds.map(({ id, outcome }) => `${id}  ${outcome}`).join('\n'));
    });
