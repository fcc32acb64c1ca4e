import { type ExportedFiles } from '#kernel/account-data';

/** Files about members that need their e-mail addresses. */
export const MEMBERS_FILES: ExportedFiles = {
  organization: [
    {
      name: 'members',
      describe: 'The members and their roles.',
      tables: ['membership', 'developer'],
      sql: `SELECT developer_id, d.email, d.name, roles, m.created_at FROM membership m JOIN developer d ON d.id = developer_id
        WHERE organization_id = $1`,
      key: ['developer_id'],
    },
  ],
  developer: [
    {
      name: 'invitations_received',
      describe: 'Invitations to an organization that they received.',
      tables: ['organization_invitation'],
      sql: `SELECT id, organization_id, roles, created_at, expires_at FROM organization_invitation
        WHERE email_key = (SELECT email_key FROM developer WHERE id = $1)`,
    },
  ],
};
