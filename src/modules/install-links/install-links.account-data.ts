import { type ExportedFiles, exportedTable } from '#kernel/account-data';

export const INSTALL_LINKS_FILES: ExportedFiles = {
  organization: [
    exportedTable('install_links', 'Install links, without their tokens.', {
      from: 'invite',
      columns: 'id, project_id, build_id, channel_id, tester_id, created_at, spent_at, last_opened_at, deleted_at',
      where: 'organization_id = $1',
      key: ['project_id', 'id'],
    }),
  ],
};
