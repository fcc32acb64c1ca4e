import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildResponse, type ReleaseResponse, type TesterResponse } from '@agate/client';
import { allChannels } from '../../builds/channels';
import { localName } from '../../builds/local-name';
import { receiveFile } from '../../builds/receive-file';
import { type Context } from '../../context';
import { allItemsOf } from '../../network/pages';
import { CliError, ExitCode } from '../../output/cli-error';
import { hashOf } from '../../upload/local-file';
import { type ImportPlan, type PlannedBuild } from '../plan/import-plan';
import { fileWithin } from './fields';
import { IMPORT_JSON } from './import-json';

export interface ExportResult {
  readonly folder: string;
  readonly builds: number;
  /** The number of files that an earlier run had written. */
  readonly present: number;
  readonly testers: number;
}

/**
 * Writes all builds of a project into a folder, with an `import.json` that describes them, their releases, and the testers. Files that
 * an earlier run has written are not fetched again.
 * @param withTesters whether to write the addresses of testers, too.
 */
export async function exportBuilds(context: Context, folder: string, withTesters: boolean): Promise<ExportResult> {
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  const [builds, channels] = await Promise.all([
    allItemsOf((page) => client.request('GET /builds', { query: { ...scope, ...page } })),
    allChannels(client, scope),
  ]);
  const nameOf = new Map(channels.map(({ id, name }) => [id, name]));
  const releases: ReleaseResponse[] = [];
  for (const { id } of channels) {
    const query = { ...scope, channel_id: id };
    releases.push(...(await allItemsOf((page) => client.request('GET /releases', { query: { ...query, ...page } }))));
  }
  const testers = withTesters
    ? await allItemsOf((page) => client.request('GET /testers', { query: { ...scope, ...page } }))
    : [];
  const plan: ImportPlan = {
    channels: channels.map(({ name }) => name),
    builds: builds.toReversed().map((build) => plannedBuild(build, releases, nameOf)),
    testers: testers.map((tester) => plannedTester(tester, nameOf)),
    remarks: [],
  };
  await mkdir(folder, { recursive: true });
  const present = await fetchFiles(context, folder, builds.toReversed());
  const { remarks: _none, ...described } = plan;
  await writeFile(join(folder, IMPORT_JSON), `${JSON.stringify(described, null, 2)}\n`, { mode: 0o600 });
  return { folder, builds: builds.length, present, testers: testers.length };
}

/** The path of the file of a build in the folder: unique, and ordered by age. */
const fileOf = (build: BuildResponse): string =>
  fileWithin(join(`${build.uploaded_at.slice(0, 10)}-${build.id}`, localName(build)), 'The file of a build');

function plannedBuild(
  build: BuildResponse,
  releases: readonly ReleaseResponse[],
  nameOf: ReadonlyMap<string, string>,
): PlannedBuild {
  const { sha256, platform, version, build_number, notes, source } = build;
  const { branch, commit, ci_url } = source;
  const own = releases.filter(({ build_id }) => build_id === build.id).toReversed();
  return {
    file: fileOf(build),
    ...{ sha256, platform, version, build_number, notes, branch, commit, ci_url },
    uploaded_at: build.original_uploaded_at ?? build.uploaded_at,
    releases: own.map((release) => ({
      channel: nameOf.get(release.channel_id) ?? '',
      notes: release.notes,
      promoted_at: release.promoted_at,
    })),
  };
}

const plannedTester = (
  { email, name, subscriptions }: TesterResponse,
  nameOf: ReadonlyMap<string, string>,
): ImportPlan['testers'][number] => ({
  email,
  name,
  channels: subscriptions.flatMap(({ channel_id, state }) =>
    state === 'subscribed' ? (nameOf.get(channel_id) ?? []) : [],
  ),
});

/** @returns the number of files that an earlier run had written. */
async function fetchFiles(context: Context, folder: string, builds: readonly BuildResponse[]): Promise<number> {
  let present = 0;
  for (const [index, build] of builds.entries()) {
    const path = join(folder, fileOf(build));
    context.output.say(`${index + 1} of ${builds.length}: ${build.file_name}`);
    if (await hasContent(context, path, build)) present += 1;
    else await fetchFile(context, path, build);
  }
  return present;
}

async function hasContent(
  { signal }: Context,
  path: string,
  { size_bytes: size, sha256 }: BuildResponse,
): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found?.size !== size) return false;
  return (await hashOf({ path, name: path, size }, signal, () => undefined)) === sha256;
}

/** A file gets its name only when it is complete. */
async function fetchFile(context: Context, path: string, { id, sha256 }: BuildResponse): Promise<void> {
  const [client, query] = await Promise.all([context.client(), context.scope()]);
  const { url } = await client.request('POST /builds/{build_id}/download-url', { path: { build_id: id }, query });
  await mkdir(join(path, '..'), { recursive: true });
  await receiveFile(context, new URL(url, (await context.settings()).url), path, (received) => {
    if (received !== sha256) throw incomplete(path, 'wrong SHA-256');
  });
}

const incomplete = (path: string, reason: string): CliError =>
  new CliError(
    ExitCode.tryAgain,
    'download_failed',
    `${path} could not be fetched (${reason}). Run the same command to continue.`,
  );
