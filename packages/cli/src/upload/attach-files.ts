import { ApiError, type AttachmentKind, attachmentKindOf, type AttachmentResponse } from '@agate/client';
import { type Context } from '../context';
import { FileUpload, type FileUploadOptions } from './file-upload';
import { type LocalFile } from './local-file';

export interface AttachOptions extends FileUploadOptions {
  /** The kind of all files. Undefined: by their names. */
  readonly kind: AttachmentKind | undefined;
}

/**
 * Adds files to a build, one after the other.
 * @returns all attachments of the build.
 * @throws ApiError or CliError. Files that were added before stay.
 */
export async function attachFiles(
  context: Context,
  buildId: string,
  files: readonly LocalFile[],
  { kind, ...options }: AttachOptions,
): Promise<readonly AttachmentResponse[]> {
  for (const file of files) {
    const fields = { build_id: buildId, kind: kind ?? attachmentKindOf(file.name) };
    const { replayed } = await FileUpload.run(context, file, fields, options);
    context.output.say(`${file.name}: ${replayed ? 'an earlier run has added it' : 'added'} as ${fields.kind}.`);
  }
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  const { items } = await client.request('GET /builds/{build_id}/attachments', {
    path: { build_id: buildId },
    query: scope,
  });
  return items;
}

/**
 * Adds files to a build that this command has made. When the service rejects one of them, deletes the build: the build and its files are
 * uploaded together or not at all. Not into the trash: an upload of the same file would restore it with the files that it has by then. After
 * an interruption the build stays, and the same command continues.
 */
export async function attachOrDelete(
  context: Context,
  buildId: string,
  files: readonly LocalFile[],
  options: AttachOptions,
): Promise<readonly AttachmentResponse[]> {
  try {
    return await attachFiles(context, buildId, files, options);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) throw error;
    const [client, scope] = await Promise.all([context.client(), context.scope()]);
    const request = { path: { build_id: buildId }, query: { ...scope, permanently: true } };
    await client.request('DELETE /builds/{build_id}', request).catch(() => {
      context.output.warn(`The build ${buildId} has not all of its files, and could not be deleted.`);
    });
    throw error;
  }
}
