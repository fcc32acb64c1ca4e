import { type Answer, pick } from './tool';

/** A build in a list. */
export const buildInList = (build: Answer): Answer => ({
  ...pick(build, 'id', 'project_id', 'platform', 'version', 'build_number', 'file_name', 'size_bytes', 'uploaded_at'),
  ...pick(build, 'installable', 'channels', 'downloads'),
  branch: (build['source'] as Answer)['branch'],
  commit: (build['source'] as Answer)['commit'],
  warnings: (build['warnings'] as readonly Answer[]).map(({ code }) => ({ code })),
});

/** Signing without the ids of devices. */
const signing = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return null;
  const { devices: _devices, ...shown } = value as Answer;
  return shown;
};

/** A build with everything that explains it. */
export const wholeBuild = (build: Answer): Answer => ({
  ...pick(build, 'id', 'project_id', 'platform', 'version', 'build_number', 'file_name', 'size_bytes', 'sha256'),
  ...pick(build, 'uploaded_at', 'original_uploaded_at', 'uploaded_by', 'notes', 'app', 'source', 'channels'),
  ...pick(build, 'downloads', 'installable', 'not_installable', 'warnings'),
  signing: signing(build['signing']),
});

export const channel = (value: Answer): Answer => ({
  ...pick(value, 'id', 'project_id', 'name', 'created_at', 'subscribers'),
  current: (value['current'] as readonly Answer[]).map((each) =>
    pick(each, 'platform', 'release_id', 'promoted_at', 'build_id', 'version', 'build_number', 'installable'),
  ),
});

export const release = (value: Answer): Answer => ({
  ...pick(
    value,
    'id',
    'project_id',
    'channel_id',
    'build_id',
    'platform',
    'sequence',
    'current',
    'notify',
    'mandatory',
  ),
  ...pick(value, 'promoted_at', 'promoted_by', 'mails', 'notes'),
  build: pick(value['build'] as Answer, 'id', 'version', 'build_number', 'app_name'),
});

export const tester = (value: Answer): Answer =>
  pick(
    value,
    'id',
    'project_id',
    'email',
    'name',
    'state',
    'declined',
    'subscriptions',
    'invited_at',
    'opened_at',
    'last_download',
  );
