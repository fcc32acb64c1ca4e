import { type AttachmentKind, ResumableUpload } from '@agate/client';
import { api } from '../session/api';
import { type ProjectScope } from '../session/use-project-place';
import { randomUuid } from './browser/random-uuid';
import { XhrPartSender } from './browser/xhr-part-sender';

/** Adds a file to a build, in parts. @throws the error of the upload. */
export async function attachFile(
  scope: ProjectScope,
  file: File,
  fields: { readonly build_id: string; readonly kind: AttachmentKind },
): Promise<void> {
  const sender = new XhrPartSender(file);
  const upload = new ResumableUpload({ client: api, scope, through: 'service', file, sender, newKey: randomUuid });
  upload.start(fields);
  const { error } = await upload.settled();
  if (error !== null) throw error as Error;
}
