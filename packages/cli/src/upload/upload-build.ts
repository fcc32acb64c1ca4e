import { type ChannelResponse, type UploadFields } from '@agate/client';
import { type Context } from '../context';
import { sizeOf } from '../output/progress';
import { promote, type Promotion, promotionOf } from '../releases/promote';
import { FileUpload, type FileUploadOptions, type FileUploadResult } from './file-upload';
import { type LocalFile } from './local-file';
import { type UploadResult } from './upload-result';

export interface UploadBuildOptions extends FileUploadOptions {
  readonly fields: UploadFields;
  readonly channels: readonly ChannelResponse[];
  /** Sends no mails about the releases. */
  readonly silent: boolean;
}

/** Uploads a file and promotes its build. @throws ApiError or CliError */
export async function uploadBuild(
  context: Context,
  file: LocalFile,
  { fields, channels, silent, ...options }: UploadBuildOptions,
): Promise<UploadResult> {
  const started = performance.now();
  const [first, ...others] = channels;
  // The service refuses a credential that must not promote before anything is sent.
  const promotes = first && { channel_id: first.id, ...(silent && { notify: false }) };
  const result = await FileUpload.run(context, file, { ...fields, ...promotes }, options);
  const { build, resumed, replayed, sentBytes } = result;
  explain(context, result, file);
  const releases: Promotion[] = first && build.release_id !== undefined ? [promotionOf(first, build.release_id)] : [];
  for (const channel of others) {
    releases.push(await promote(context, build.id, channel, { silent, once: true }));
  }
  for (const { channel } of releases) context.output.say(`Promoted to "${channel}".`);
  const durationMs = Math.round(performance.now() - started);
  const json = { ...build, releases, resumed, replayed, sent_bytes: sentBytes, duration_ms: durationMs };
  return { build, json };
}

function explain({ output }: Context, { build, replayed, sentBytes }: FileUploadResult, { name }: LocalFile): void {
  const { app, version, build_number: number, platform } = build;
  const what = `${app.name ?? name} ${version}${number === null ? '' : ` (${number})`} for ${platform}`;
  output.say(
    replayed
      ? `${what}: an earlier run has uploaded this file. Nothing was sent.`
      : `${what}: uploaded, ${sizeOf(sentBytes)} sent.`,
  );
  for (const { code, message } of build.warnings) output.warn(`${message} [${code}]`);
}
