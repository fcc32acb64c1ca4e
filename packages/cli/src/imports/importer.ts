import { ApiError, type BuildResponse, type ChannelResponse, type UploadFields } from '@agate/client';
import { allChannels } from '../builds/channels';
import { promote } from '../builds/promote-build';
import { type Context } from '../context';
import { allItemsOf } from '../network/pages';
import { CliError, ExitCode } from '../output/cli-error';
import { exitCodeOf, failureOf } from '../output/failure';
import { withoutControls } from '../output/visible';
import { FileUpload } from '../upload/file-upload';
import { hashOf, type LocalFile } from '../upload/local-file';
import { cutNotes } from '../upload/notes';
import { type BuildSource } from './plan/build-source';
import { type ImportPlan, type PlannedBuild, type PlannedTester } from './plan/import-plan';
import { type ImportedBuild, missingPromotions, type Promotion, promotionsOf } from './plan/promotions';

const PARALLEL = 4;

/** A build of the plan that could not be imported. */
interface FailedBuild {
  readonly file: string;
  readonly error: string;
  readonly message: string;
}

/** The result of an import. Repeating the import does nothing twice. */
export interface ImportResult {
  /** The number of builds that were uploaded. */
  readonly uploaded: number;
  /** The number of builds that the project had already. */
  readonly present: number;
  readonly failed: readonly FailedBuild[];
  /** The number of releases that were made. */
  readonly promoted: number;
  /** The number of testers that were added. */
  readonly testers: number;
  /** The remarks about work that has to be done by hand. */
  readonly remarks: readonly string[];
}

/** Brings the builds, releases and testers of a plan into a project: oldest builds first, without mails. */
export class Importer {
  private uploaded = 0;
  private present = 0;
  private readonly failed: FailedBuild[] = [];
  private readonly imported: ImportedBuild[] = [];
  private readonly remarks: string[] = [];
  /** The ids of builds by the hash of their file, oldest first. A build of the plan takes the first unused id. */
  private left = new Map<string, string[]>();

  constructor(
    private readonly context: Context,
    private readonly source: BuildSource,
  ) {}

  /**
   * @throws ApiError or CliError when nothing more can be imported, for example without credit. The same import can be run again to
   * continue.
   */
  async run(plan: ImportPlan): Promise<ImportResult> {
    this.remarks.push(...plan.remarks);
    const channels = await this.channelsOf(plan);
    this.left = await this.existingBuilds();
    for (const [index, build] of plan.builds.entries()) {
      this.context.output.say(`${index + 1} of ${plan.builds.length}: ${build.file}`);
      await this.importBuild(build);
    }
    const promoted = await this.promoteAll(channels);
    const testers = await addTesters(this.context, plan.testers, channels);
    const { uploaded, present, failed, remarks } = this;
    return { uploaded, present, failed, promoted, testers, remarks };
  }

  /** The channels of the plan by name. Creates those that the project lacks; leaves out those that the service does not allow. */
  private async channelsOf({ channels: names }: ImportPlan): Promise<ReadonlyMap<string, ChannelResponse>> {
    const [client, scope] = await Promise.all([this.context.client(), this.context.scope()]);
    const known = names.length === 0 ? [] : await allChannels(client, scope);
    const found = new Map(known.map((channel) => [channel.name, channel]));
    for (const name of names.filter((each) => !found.has(each))) {
      try {
        found.set(name, await client.request('POST /channels', { query: scope, body: { name } }));
      } catch (error) {
        if (!(error instanceof ApiError) || ![400, 403].includes(error.status)) throw error;
        this.remarks.push(`The channel "${name}" was not created: ${error.message}`);
      }
    }
    return found;
  }

  private async existingBuilds(): Promise<Map<string, string[]>> {
    const [client, scope] = await Promise.all([this.context.client(), this.context.scope()]);
    const builds = await allItemsOf<BuildResponse>((page) =>
      client.request('GET /builds', { query: { ...scope, ...page } }),
    );
    const ids = groupBy(builds.toReversed(), ({ sha256 }) => sha256);
    return new Map([...ids].map(([sha256, same]) => [sha256, same.map(({ id }) => id)]));
  }

  private async importBuild(planned: PlannedBuild): Promise<void> {
    const known = planned.sha256 === null ? undefined : this.left.get(planned.sha256)?.shift();
    if (known !== undefined) return this.wasPresent(planned, known);
    try {
      await this.source.use(planned, (file) => this.importFile(planned, file));
    } catch (error) {
      if (this.context.signal.aborted || !concernsOneFile(error)) throw error;
      const { error: code, message } = failureOf(error);
      this.failed.push({ file: planned.file, error: code, message });
      this.context.output.warn(`${planned.file}: ${message}`);
    }
  }

  private async importFile(planned: PlannedBuild, file: LocalFile): Promise<void> {
    const sha256 = await hashOf(file, this.context.signal, () => undefined);
    if (planned.sha256 !== null && planned.sha256 !== sha256) {
      const message = `The file has the SHA-256 ${sha256}, not ${planned.sha256}.`;
      throw new CliError(ExitCode.refused, 'sha256_mismatch', message);
    }
    const known = this.left.get(sha256)?.shift();
    if (known !== undefined) return this.wasPresent(planned, known);
    const isSecond = this.left.has(sha256);
    const options = { parallel: PARALLEL, isNew: isSecond, drops: false };
    const { build } = await FileUpload.run(this.context, file, fieldsOf(planned), options);
    // The next build with the same file is a different build.
    if (!isSecond) this.left.set(sha256, []);
    this.uploaded += 1;
    this.imported.push({ planned, id: build.id });
  }

  private wasPresent(planned: PlannedBuild, id: string): void {
    this.present += 1;
    this.imported.push({ planned, id });
  }

  private async promoteAll(channels: ReadonlyMap<string, ChannelResponse>): Promise<number> {
    const all = groupBy(promotionsOf(this.imported), ({ channel }) => channel);
    let count = 0;
    for (const [name, promotions] of all) {
      const channel = channels.get(name);
      if (channel) count += await this.promoteTo(channel, promotions);
    }
    return count;
  }

  private async promoteTo(channel: ChannelResponse, promotions: readonly Promotion[]): Promise<number> {
    const [client, scope] = await Promise.all([this.context.client(), this.context.scope()]);
    const query = { ...scope, channel_id: channel.id };
    const made = await allItemsOf((page) => client.request('GET /releases', { query: { ...query, ...page } }));
    const missing = missingPromotions(
      promotions,
      made.toReversed().map((release) => release.build_id),
    );
    let count = 0;
    for (const { buildId, notes } of missing) {
      const options = { notes: acceptedNotes(notes), silent: true };
      if (await promote(this.context, buildId, channel, options).then(() => true, ignoreCurrent)) count += 1;
    }
    return count;
  }
}

/** Whether the import may continue with the next file. */
function concernsOneFile(error: unknown): boolean {
  if (error instanceof ApiError) return exitCodeOf(error) === ExitCode.refused;
  return error instanceof CliError && [ExitCode.refused, ExitCode.usage].includes(error.exitCode as 2 | 3);
}

/** A build that is current already need not be promoted. @returns false, because no release was made. */
function ignoreCurrent(error: unknown): false {
  if (error instanceof ApiError && error.code === 'already_exists') return false;
  throw error;
}

function fieldsOf({ platform, version, build_number, notes, ...planned }: PlannedBuild): UploadFields {
  const { branch, commit, ci_url, uploaded_at: original_uploaded_at } = planned;
  const fields = {
    version,
    build_number,
    branch,
    commit,
    ci_url,
    original_uploaded_at,
  };
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value ? [[name, acceptedLine(value)] as const] : [],
  );
  const accepted = acceptedNotes(notes);
  return {
    ...Object.fromEntries(given),
    ...(accepted !== undefined && { notes: accepted }),
    ...(platform !== null && { platform }),
  };
}

/** The notes of an older service as this one accepts them. */
const acceptedNotes = (notes: string | null): string | undefined =>
  notes === null ? undefined : cutNotes(withoutControls(notes)) || undefined;

const acceptedLine = (text: string): string => withoutControls(text).replaceAll(/[\r\n\t]+/g, ' ');

/** The items grouped by a key, each group in the order of the items. Node 20 has no `Map.groupBy`. */
function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

const MAX_BATCH = 1_000;

/** Adds testers and subscribes them to their channels. No mail is sent. @returns the number of testers that the project did not have. */
async function addTesters(
  context: Context,
  testers: readonly PlannedTester[],
  channels: ReadonlyMap<string, ChannelResponse>,
): Promise<number> {
  if (testers.length === 0) return 0;
  let count = await addTo(context, testers, undefined);
  for (const { id, name } of channels.values()) {
    const subscribed = testers.filter((tester) => tester.channels.includes(name));
    if (subscribed.length > 0) count += await addTo(context, subscribed, id);
  }
  return count;
}

async function addTo(
  context: Context,
  testers: readonly PlannedTester[],
  channelId: string | undefined,
): Promise<number> {
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  let count = 0;
  for (let start = 0; start < testers.length; start += MAX_BATCH) {
    const batch = testers.slice(start, start + MAX_BATCH).map(({ email, name }) => ({ email, name }));
    const { created } = await client.request('POST /testers/batch', {
      query: { ...scope, ...(channelId !== undefined && { channel_id: channelId }) },
      body: { testers: batch },
    });
    count += created;
  }
  return count;
}
