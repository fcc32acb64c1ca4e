import { type ExportedFiles, exportedTable } from '#kernel/account-data';

export const AUTH_FILES: ExportedFiles = {
  developer: [
    exportedTable('sessions', 'Logins, without their tokens.', {
      from: 'refresh_family',
      columns: 'id, created_at, expires_at, revoked_at, last_used_at, address, network, user_agent',
      where: 'developer_id = $1',
    }),
  ],
};
