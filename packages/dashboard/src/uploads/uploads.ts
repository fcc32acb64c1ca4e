import { SendingSlots } from '@agate/client';
import { serviceQuery } from '../queries/account/session';
import { refetchAfter } from '../queries/changes';
import { queryClient } from '../queries/client';
import { api } from '../session/api';
import { SavedUploads } from './store/saved-uploads';
import { type UploadTarget } from './store/upload-item';
import { UploadsStore } from './store/uploads-store';

const maxUploadBytes = (): Promise<number | null> =>
  queryClient.ensureQueryData(serviceQuery).then(
    (service) => service.max_upload_bytes,
    () => null,
  );

/** Every list and every count that may include the build. */
const buildChanged = ({ organizationId, projectId }: UploadTarget): void =>
  void refetchAfter(queryClient, organizationId, [{ type: 'build.uploaded', project_id: projectId }]);

/** The uploads of this tab. They continue while screens change. */
export const uploads = new UploadsStore({
  client: api,
  slots: new SendingSlots(),
  saved: new SavedUploads(),
  maxUploadBytes,
  buildChanged,
});
