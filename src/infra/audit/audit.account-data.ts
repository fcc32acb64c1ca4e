import { type ExportedFiles, exportedTable } from '#kernel/account-data';

/** The feed is exported and never erased: it holds ids, and no names or e-mail addresses. */
export const AUDIT_FILES: ExportedFiles = {
  organization: [
    exportedTable('audit_events', 'The audit feed.', {
      from: 'audit_event',
      columns: `id, type, actor_kind, actor_id, actor_label, time, host(source_ip) AS source_ip, request_id, project_id, payload,
        position, encode(hash, 'hex') AS hash`,
      where: 'organization_id = $1',
      key: ['time', 'id'],
    }),
  ],
  developer: [
    exportedTable('audit_events', 'Their actions in the audit feeds, and the events of their account.', {
      from: 'audit_event',
      columns: 'id, organization_id, type, time, host(source_ip) AS source_ip, request_id, project_id, payload',
      where: `actor_kind = 'developer' AND actor_id = $1 OR organization_id IS NULL AND payload ->> 'developer_id' = $1::text`,
      key: ['time', 'id'],
    }),
  ],
};
