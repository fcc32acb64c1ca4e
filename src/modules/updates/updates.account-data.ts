import { type ExportedFiles, exportedTable } from '#kernel/account-data';

export const UPDATES_FILES: ExportedFiles = {
  organization: [
    exportedTable('update_keys', 'Keys by which installed apps find updates, without their values.', {
      from: 'update_key',
      columns: 'id, project_id, channel_id, platform, created_at, rotated_at, last_used_at',
      where: 'organization_id = $1',
    }),
    exportedTable('min_supported_versions', 'The lowest version of each platform that a project still supports.', {
      from: 'min_supported_version',
      columns: 'project_id, platform, version',
      where: 'organization_id = $1',
      key: ['project_id', 'platform'],
    }),
    exportedTable('update_signatures', 'Signatures by which updaters of desktop apps verify the files of builds.', {
      from: 'update_signature',
      columns: 'build_id, project_id, signature, created_at',
      where: 'organization_id = $1',
      key: ['project_id', 'build_id'],
    }),
  ],
};
