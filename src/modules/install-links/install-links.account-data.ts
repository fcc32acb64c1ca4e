import { type ExportedFiles, exportedTable } from '#kernel/account-data';

export const INSTALL_LINKS_FILES: ExportedFiles = {
  organization: [
    exportedTable('install_links', 'Install links, without their tokens.', {
      from: 'invite',
      columns:
        'id, project_id, build_id, channel_id, tester_id, name, is_default, created_at, spent_at, last_opened_at, deleted_at',
      where: 'organization_id = $1',
      key: ['project_id', 'id'],
    }),
    exportedTable('link_rules', 'The rules of install links, without their passwords.', {
      from: 'link_rule',
      columns: 'invite_id, project_id, access, expires_at, max_downloads, used_downloads, terms_version, version',
      where: 'organization_id = $1',
      key: ['project_id', 'invite_id'],
    }),
    exportedTable('link_terms', 'The terms of install links, in all their versions.', {
      from: 'link_terms',
      columns: 'link_id, version, project_id, text, created_at',
      where: 'organization_id = $1',
      key: ['project_id', 'link_id', 'version'],
    }),
    {
      name: 'link_acceptances',
      describe:
        'Who accepted which terms, and when: a tester, or a visitor whose address is kept as a digest, which is not exported.',
      tables: ['link_acceptance', 'link_terms'],
      sql: `SELECT a.id, a.project_id, a.link_id, a.terms_version, a.tester_id, a.accepted_at
        FROM link_terms t JOIN link_acceptance a ON a.link_id = t.link_id AND a.terms_version = t.version
        WHERE t.organization_id = $1`,
      key: ['t.project_id', 'a.link_id', 'a.terms_version', 'a.id'],
    },
  ],
};
