import {
  type AttachmentKind,
  type AttachmentResponse,
  type ChannelResponse,
  helpOfWarning,
  type UploadedBuildResponse,
  type UploadFields,
} from '@agate/client';
import { promote, type Promotion, promotionOf, undoOf } from '../builds/promote-build';
import { type Context } from '../context';
import { CliError, ExitCode } from '../output/cli-error';
import { sizeOf } from '../output/progress';
import { attachOrDelete } from './attach-files';
import { FileUpload, type FileUploadOptions, type FileUploadResult } from './file-upload';
import { type LocalFile } from './local-file';

/** The JSON that `agate upload --json` prints for a file. */
type UploadJson = UploadedBuildResponse & {
  readonly releases: readonly Promotion[];
  /** The files that were added with the build. */
  readonly attachments: readonly AttachmentResponse[];
  /** Whether an earlier run had sent parts of the file. */
  readonly resumed: boolean;
  /** Whether an earlier run had already made the build. */
  readonly replayed: boolean;
  readonly sent_bytes: number;
  readonly duration_ms: number;
};

/** A build that was uploaded and promoted. */
export interface UploadResult {
  readonly build: UploadedBuildResponse;
  readonly json: UploadJson;
}

export interface UploadBuildOptions extends FileUploadOptions {
  readonly fields: UploadFields;
  readonly channels: readonly ChannelResponse[];
  /** Whether no mails about the releases are sent. */
  readonly silent: boolean;
  /** Files that are added to the build before it is promoted. */
  readonly attachments: readonly LocalFile[];
  /** The kind of these files. Undefined: by their names. */
  readonly kind: AttachmentKind | undefined;
}

/** Uploads a file and promotes its build. @throws ApiError or CliError */
export async function uploadBuild(
  context: Context,
  file: LocalFile,
  { fields, channels, silent, attachments, kind, ...options }: UploadBuildOptions,
): Promise<UploadResult> {
  const started = performance.now();
  // The service rejects a credential that may not promote before any byte is sent. A build with other files is promoted when all are there.
  const first = attachments.length > 0 ? undefined : channels[0];
  const promotes = first && { channel_id: first.id, ...(silent && { notify: false }) };
  const result = await FileUpload.run(context, file, { ...fields, ...promotes }, options);
  const { build, resumed, replayed, sentBytes } = result;
  await explain(context, result, file);
  const attached =
    attachments.length > 0 ? await attachOrDelete(context, build.id, attachments, { ...options, kind }) : [];
  const releases: Promotion[] = first && build.release_id !== undefined ? [promotionOf(first, build.release_id)] : [];
  for (const channel of channels.slice(first ? 1 : 0)) {
    releases.push(await promote(context, build.id, channel, { silent, once: true }));
  }
  for (const release of releases) {
    context.output.say(`Promoted to "${release.channel}".`);
    const channel = channels.find(({ name }) => name === release.channel);
    // A build of an earlier run was promoted then.
    if (channel && !replayed) context.output.say(`Undo it within a minute: ${undoOf(channel, release)}`);
  }
  const durationMs = Math.round(performance.now() - started);
  const json = {
    ...build,
    releases,
    attachments: attached,
    resumed,
    replayed,
    sent_bytes: sentBytes,
    duration_ms: durationMs,
  };
  return { build, json };
}

async function explain(
  context: Context,
  { build, replayed, sentBytes }: FileUploadResult,
  { name }: LocalFile,
): Promise<void> {
  const { output } = context;
  const { app, version, build_number: number, platform } = build;
  const what = `${app.name ?? name} ${version}${number === null ? '' : ` (${number})`} for ${platform}`;
  output.say(
    replayed
      ? `${what}: an earlier run has uploaded this file. Nothing was sent.`
      : `${what}: uploaded, ${sizeOf(sentBytes)} sent.`,
  );
  for (const { code, message } of build.warnings) output.warn(`${message} [${code}]`);
  const [first] = build.warnings;
  const help = first && (await context.helpAddress(helpOfWarning(first.code, platform)));
  if (help) output.say(`See ${help}`);
}

export interface RequirementOptions {
  readonly expectInstallable?: boolean;
  /** True for any warning, otherwise the codes that count. */
  readonly failOnWarning?: true | readonly string[];
}

/** @throws CliError when an uploaded build does not meet the options. The builds stay. */
export function checkRequirements(
  results: readonly UploadResult[],
  { expectInstallable, failOnWarning }: RequirementOptions,
): void {
  const builds = results.map(({ build }) => build);
  const details = { builds: results.map(({ json }) => json) };
  const broken = expectInstallable ? builds.filter(({ installable }) => !installable) : [];
  if (broken.length > 0) {
    const reasons = broken.map(({ file_name: name, warnings }) =>
      [`${name} was uploaded, but devices cannot install it.`, ...warnings.map(({ message }) => message)].join(' '),
    );
    throw new CliError(ExitCode.refused, 'not_installable', reasons.join(' '), details);
  }
  if (failOnWarning === undefined) return;
  const counts = (code: string): boolean => failOnWarning === true || failOnWarning.includes(code);
  const codes = builds.flatMap(({ warnings }) => warnings.map(({ code }) => code)).filter(counts);
  if (codes.length === 0) return;
  const message = `The build was uploaded, and --fail-on-warning demands a build without warnings: ${codes.join(', ')}.`;
  throw new CliError(ExitCode.refused, 'warnings', message, { warnings: codes, ...details });
}
