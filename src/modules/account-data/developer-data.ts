import { exported, type ExportedFile } from './exported-file';

const OWN = 'developer_id = $1';

/** SQL: whether a flag is of a developer (`$1`), whichever credential they asked with. */
export const OWN_FLAGS = `principal IN (
  SELECT 'developer:' || $1 UNION ALL SELECT 'pat:' || id FROM personal_access_token WHERE developer_id = $1::uuid)`;

/** All data of a developer: of the person, not of the organizations that they work for. */
export const DEVELOPER_FILES: readonly ExportedFile[] = [
  exported('developer', 'The account.', [
    'developer',
    'id, email, name, email_verified_at, min_issued_at AS sessions_valid_from, trial_credits, created_at',
    'id = $1',
  ]),
  exported('second_factor', 'Whether there is a second factor, without its secret.', [
    'second_factor',
    'confirmed_at',
    OWN,
  ]),
  exported('sessions', 'Logins, without their tokens.', [
    'refresh_family',
    'id, created_at, expires_at, revoked_at',
    OWN,
  ]),
  exported('mailed_links', 'Links that were mailed, without their tokens.', [
    'developer_link',
    'purpose, new_email, created_at, expires_at, used_at',
    OWN,
  ]),
  {
    name: 'memberships',
    describe: 'Organizations they belong to, with their roles.',
    tables: ['membership', 'organization'],
    sql: `SELECT organization_id, o.name, roles, m.created_at FROM membership m JOIN organization o ON o.id = organization_id
      WHERE ${OWN}`,
  },
  exported('project_memberships', 'Projects they have a role in.', [
    'project_membership',
    'organization_id, project_id, role',
    OWN,
  ]),
  exported('personal_access_tokens', 'Personal access tokens, without their values.', [
    'personal_access_token',
    'id, organization_id, name, scopes, last4, created_at, expires_at, revoked_at, last_used_at',
    OWN,
  ]),
  exported('project_access_tokens_made', 'Project access tokens that they made, without their values.', [
    'project_access_token',
    'id, organization_id, project_id, name, created_at',
    'created_by = $1',
  ]),
  exported('invitations_sent', 'Whom they asked to join an organization.', [
    'organization_invitation',
    'id, organization_id, email, created_at',
    'invited_by = $1',
  ]),
  exported('invitations_received', 'Organizations that ask them to join.', [
    'organization_invitation',
    'id, organization_id, roles, created_at, expires_at',
    'email_key = (SELECT email_key FROM developer WHERE id = $1)',
  ]),
  exported('builds_uploaded', 'Builds that they uploaded.', [
    'build',
    'id, organization_id, project_id, file_name, version, uploaded_at',
    `uploaded_by_kind = 'developer' AND uploaded_by_id = $1`,
  ]),
  exported('releases_promoted', 'Builds that they promoted.', [
    'release',
    'id, organization_id, project_id, channel_id, build_id, promoted_at',
    `promoted_by_kind = 'developer' AND promoted_by_id = $1`,
  ]),
  exported('downloads', 'Builds that they downloaded.', [
    'build_download',
    'id, organization_id, build_id, device_family, started_at, completed_at',
    `minted_by_kind = 'developer' AND minted_by_id = $1`,
  ]),
  exported('top_ups_requested', 'Credit that they asked for.', [
    'top_up',
    'id, organization_id, amount_micro_usd, created_at',
    'requested_by = $1',
  ]),
  exported('account_flags', 'That they, or tokens of theirs, went on asking after they were told to wait.', [
    'account_flag',
    'id, principal, reason, hits, first_seen_at, last_seen_at',
    OWN_FLAGS,
  ]),
  exported('audit_events', 'What they did, as the audit feeds have it.', [
    'audit_event',
    'id, organization_id, type, time, host(source_ip) AS source_ip, request_id, project_id, payload',
    `actor_kind = 'developer' AND actor_id = $1 OR organization_id IS NULL AND payload ->> 'developer_id' = $1::text`,
  ]),
];
