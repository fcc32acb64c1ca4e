import { type ExportedFiles, exportedTable } from '#kernel/account-data';

export const UPDATES_FILES: ExportedFiles = {
  organization: [
    exportedTable('update_keys', 'Keys by which installed apps find updates, without their values.', {
      from: 'update_key',
      columns: 'id, project_id, channel_id, platform, created_at, rotated_at, last_used_at',
      where: 'organization_id = $1',
    }),
  ],
};
