import { type ExportedFiles, exportedTable } from '#kernel/account-data';

const OWN = 'developer_id = $1';

export const DEVELOPERS_FILES: ExportedFiles = {
  developer: [
    exportedTable('developer', 'The account.', {
      from: 'developer',
      columns:
        'id, email, name, email_verified_at, language, suspended_at, min_issued_at AS sessions_valid_from, trial_credits, created_at',
      where: 'id = $1',
    }),
    exportedTable('second_factor', 'The second factor, without its secret.', {
      from: 'second_factor',
      columns: 'confirmed_at',
      where: OWN,
      key: ['developer_id'],
    }),
    exportedTable('mailed_links', 'Links that were mailed, without their tokens.', {
      from: 'developer_link',
      columns: 'purpose, new_email, created_at, expires_at, used_at',
      where: OWN,
      key: [`encode(digest, 'hex')`],
    }),
  ],
};
