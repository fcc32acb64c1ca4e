import { type AttachmentResponse } from '@agate/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { keyOf } from '../keys';

export type Attachment = AttachmentResponse;

/** The files beside the artifact of a build. */
export const attachmentsQuery = (scope: ProjectScope, buildId: string) =>
  queryOptions({
    queryKey: keyOf('attachments', buildId),
    queryFn: async ({ signal }) => {
      const request = { path: { build_id: buildId }, query: scope, signal };
      return (await api.request('GET /builds/{build_id}/attachments', request)).items;
    },
  });

export const deleteAttachment = (scope: ProjectScope, { id, build_id }: Attachment): Promise<void> =>
  api.request('DELETE /builds/{build_id}/attachments/{attachment_id}', {
    path: { build_id, attachment_id: id },
    query: scope,
  });

/** An address that the browser can open; it redirects to a download URL. */
export const attachmentAddress = (scope: ProjectScope, { id, build_id }: Attachment): string =>
  `/api/v1/builds/${build_id}/attachments/${id}/download?${new URLSearchParams({ ...scope }).toString()}`;
