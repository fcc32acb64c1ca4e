import {
  type BuildDeletionResponse,
  type BuildResponse,
  type DeletionFilterRequest,
  type DeletionPreviewResponse,
  type Platform,
  PLATFORMS,
} from '@agate/client';
import { Command, Option } from 'commander';
import { buildsText, describePreview, figuresOf } from '../../builds/deletion-preview';
import { listOf, nameOf } from '../../builds/describe-build';
import { BUILD_ARGUMENT, findBuild, isMissing } from '../../builds/find-build';
import { type Context } from '../../context';
import { itemsOf } from '../../network/pages';
import { daysOf } from '../../option-values';
import { notFoundError, usageError } from '../../output/cli-error';
import { Progress } from '../../output/progress';
import { isId } from '../../settings/scope';
import { confirm } from '../../terminal/questions';

/** The number of builds that are listed before the question. */
const SHOWN = 10;
const CONDITIONS = ['branch', 'platform', 'version', 'older'] as const;
const HOW_TO_SELECT = 'by --branch, --platform, --version or --older';

interface Conditions {
  readonly branch?: string;
  readonly platform?: Platform;
  readonly version?: string;
  readonly older?: number;
}

interface DeleteOptions {
  readonly permanently?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export const deleteBuildsCommand = (context: Context): Command =>
  new Command('delete')
    .description('move builds to the trash, from which they can be restored for seven days')
    .argument('[build...]', `${BUILD_ARGUMENT}; default: the builds that meet all conditions of the options`)
    .option('--branch <pattern>', 'builds of the branch, or of the branches that match: pr-*')
    .addOption(new Option('--platform <platform>', 'builds for this platform').choices(PLATFORMS))
    .option('--version <version>', 'builds with exactly this version')
    .addOption(new Option('--older <age>', 'builds that are older: 30d, 12h or 4w').argParser(daysOf))
    .option('--permanently', 'delete the builds and their files now; they cannot be restored')
    .option('--dry-run', 'list the builds, but delete none')
    .option('--yes', 'do not ask')
    .action(async (given: readonly string[], options: Conditions & DeleteOptions, command: Command) => {
      // CI jobs set variables such as AGATE_BRANCH for their uploads. A variable alone must not select builds to delete.
      const selects = CONDITIONS.some((name) => command.getOptionValueSource(name) === 'cli');
      if (given.length > 0 && selects) throw usageError(`Name builds, or select them ${HOW_TO_SELECT}, not both.`);
      if (given.length > 0) return deleteNamed(context, given, options);
      if (!selects) throw usageError(`Name builds, or select them ${HOW_TO_SELECT}.`);
      await deleteMatching(context, filterOf(context, options), options);
    });

/** The age is resolved once, because a preview is valid for exactly its conditions. */
const filterOf = ({ process }: Context, { branch, platform, version, older }: Conditions): DeletionFilterRequest => ({
  ...(branch !== undefined && { branch }),
  ...(platform !== undefined && { platform }),
  ...(version !== undefined && { version }),
  ...(older !== undefined && { to: new Date(process.now() - older).toISOString() }),
});

async function deleteNamed(
  context: Context,
  given: readonly string[],
  { permanently = false, dryRun = false, yes = false }: DeleteOptions,
): Promise<void> {
  const builds = await buildsNamed(context, given, permanently);
  if (dryRun) return context.output.print(builds, listOf(builds));
  const names = builds.map((build) => `${nameOf(build)} (${build.id})`).join(', ');
  await confirm(context, permanently ? `This deletes ${names} permanently.` : `This moves ${names} to the trash.`, yes);
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  const query = { ...scope, ...(permanently && { permanently }) };
  for (const { id } of builds) await client.request('DELETE /builds/{build_id}', { path: { build_id: id }, query });
  const ids = builds.map(({ id }) => id);
  if (!permanently) context.output.say(`Restore within seven days: agate builds restore ${ids.join(' ')}`);
  context.output.print(builds, ids.join('\n'));
}

/** The builds that the arguments name, each once. With `inTrash`, ids may be of builds in the trash. @throws CliError */
async function buildsNamed(context: Context, given: readonly string[], inTrash: boolean): Promise<BuildResponse[]> {
  const gone: string[] = [];
  const found = await Promise.all(
    given.map((each) =>
      findBuild(context, each).catch((error: unknown) => {
        if (!inTrash || !isId(each) || !isMissing(error)) throw error;
        gone.push(each.toLowerCase());
        return null;
      }),
    ),
  );
  const builds = [...found.filter((build) => build !== null), ...(await buildsInTrash(context, gone))];
  return [...new Map(builds.map((build) => [build.id, build])).values()];
}

/** @throws CliError when the trash does not contain one of the builds. */
async function buildsInTrash(context: Context, ids: readonly string[]): Promise<BuildResponse[]> {
  if (ids.length === 0) return [];
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  const missing = new Set(ids);
  const found: BuildResponse[] = [];
  const trash = itemsOf((page) => client.request('GET /builds', { query: { ...scope, deleted: true, ...page } }));
  for await (const build of trash) {
    if (missing.delete(build.id)) found.push(build);
    if (missing.size === 0) return found;
  }
  throw notFoundError(`Neither the project nor its trash contains the build ${[...missing].join(', ')}.`);
}

async function deleteMatching(
  context: Context,
  filter: DeletionFilterRequest,
  { permanently = false, dryRun = false, yes = false }: DeleteOptions,
): Promise<void> {
  const [client, query] = await Promise.all([context.client(), context.scope()]);
  const preview = await client.request('POST /builds/delete/preview', { query, body: { filter } });
  if (dryRun) return context.output.print(preview, describePreview(preview));
  context.output.say(describePreview(preview, SHOWN));
  const figures = figuresOf(preview);
  if (preview.builds > 0)
    await confirm(
      context,
      permanently ? `This deletes ${figures} permanently.` : `This moves ${figures} to the trash.`,
      yes,
    );
  const { builds, freesBytesAt } = await deleteInBatches(context, filter, preview, permanently);
  const ids = idsWith(builds, 'deleted');
  const changed = builds.length - ids.length;
  if (changed > 0) context.output.warn(`${buildsText(changed)} changed after the preview and stayed.`);
  if (freesBytesAt !== null)
    context.output.say(`Restore until ${freesBytesAt}: agate builds restore ${restorable(ids)}`);
  context.output.print({ deleted: ids.length, frees_bytes_at: freesBytesAt, builds }, ids.join('\n'));
}

/** What follows `agate builds restore`: few ids themselves, or where many are listed. */
const restorable = (ids: readonly string[]): string =>
  ids.length <= SHOWN ? ids.join(' ') : '<build...>, with the ids of agate builds list --deleted';

/** What was done with the builds of a preview. */
interface Deletions {
  readonly builds: readonly BuildDeletionResponse[];
  /** The time until which all of them can be restored. Null when none is in the trash. */
  readonly freesBytesAt: string | null;
}

/** Deletes the builds of a preview. A request deletes some hundred of them. */
async function deleteInBatches(
  context: Context,
  filter: DeletionFilterRequest,
  { builds: total, ...preview }: DeletionPreviewResponse,
  permanently: boolean,
): Promise<Deletions> {
  const [client, query] = await Promise.all([context.client(), context.scope()]);
  const body = { filter, ...(permanently && { permanently }) };
  const now = (): number => performance.now();
  const rateOf = (perSecond: number): string => `${Math.round(perSecond)} builds/s`;
  const progress = new Progress(context.output, { title: 'Deleting builds', total, now, rateOf });
  const builds: BuildDeletionResponse[] = [];
  let freesBytesAt: string | null = null;
  let { fingerprint } = preview;
  try {
    progress.report(0, `0 of ${total}`);
    for (let remaining = total; remaining > 0;) {
      const batch = await client.request('POST /builds/delete', { query, body: { ...body, fingerprint } });
      builds.push(...batch.builds);
      freesBytesAt ??= batch.frees_bytes_at;
      fingerprint = batch.fingerprint ?? fingerprint;
      // A batch without a deletion cannot be followed by another one, which would select the same builds.
      remaining = batch.deleted === 0 ? 0 : batch.remaining;
      progress.report(builds.length, `${builds.length} of ${total}`);
    }
  } catch (error) {
    if (builds.length > 0)
      context.output.say(`${idsWith(builds, 'deleted').length} of ${buildsText(total)} were deleted.`);
    throw error;
  } finally {
    progress.end();
  }
  return { builds, freesBytesAt };
}

const idsWith = (builds: readonly BuildDeletionResponse[], outcome: BuildDeletionResponse['outcome']): string[] =>
  builds.filter((build) => build.outcome === outcome).map(({ id }) => id);
