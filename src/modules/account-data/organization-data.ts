import { exported, type ExportedFile } from './exported-file';

const OWN = 'organization_id = $1';
const TOKEN = 'id, organization_id, name, last4, created_at, expires_at, revoked_at, last_used_at';

/** All data of an organization. */
export const ORGANIZATION_FILES: readonly ExportedFile[] = [
  exported('organization', 'The organization.', ['organization', 'id, name, created_at', 'id = $1']),
  {
    name: 'members',
    describe: 'Who belongs to it, with which roles.',
    tables: ['membership', 'developer'],
    sql: `SELECT developer_id, d.email, d.name, roles, m.created_at FROM membership m JOIN developer d ON d.id = developer_id
      WHERE ${OWN}`,
  },
  exported('invitations', 'Who was asked to join, and has not yet.', [
    'organization_invitation',
    'id, email, roles, invited_by, created_at, expires_at',
    OWN,
  ]),
  exported('projects', 'Its projects.', ['project', 'id, organization_id, name, allow_any_bundle_id, created_at', OWN]),
  exported('project_members', 'Who has which role in which project.', [
    'project_membership',
    'project_id, developer_id, role',
    OWN,
  ]),
  exported('project_access_tokens', 'Project access tokens, without their values.', [
    'project_access_token',
    `${TOKEN}, project_id, role, created_by`,
    OWN,
  ]),
  exported('personal_access_tokens', 'Personal access tokens bound to it, without their values.', [
    'personal_access_token',
    `${TOKEN}, developer_id, scopes`,
    OWN,
  ]),
  exported('bundle_ids', 'The app of each project and platform, as its first build had it.', [
    'pinned_bundle_id',
    'project_id, platform, bundle_id',
    OWN,
  ]),
  exported('builds', 'Its builds. The artifact of each is `artifacts/<id>` where artifacts are included.', [
    'build',
    `id, project_id, platform, version, build_number, notes, uploaded_at, uploaded_by_kind, uploaded_by_id, file_name,
      size_bytes, encode(sha256, 'hex') AS sha256, storage_account, artifact, icon_media_type, branch, "commit", ci_url,
      upload_warnings, downloads_total, downloads_unique_testers`,
    OWN,
  ]),
  exported('build_downloads', 'Which build was downloaded when, how far, and by whose link.', [
    'build_download',
    `id, project_id, build_id, minted_by_kind, minted_by_id, tester_id, channel_id, device_family, started_at, completed_at,
      served_bytes`,
    OWN,
  ]),
  exported('resumable_uploads', 'Uploads in parts: on their way, or done in the last days.', [
    'resumable_upload',
    'id, project_id, file_name, size_bytes, draft, build_id, release_id, created_at, completed_at',
    OWN,
  ]),
  exported('channels', 'Its channels.', ['channel', 'id, project_id, name, last_sequence, created_at', OWN]),
  {
    name: 'releases',
    describe: 'Builds promoted to channels; `current` is what a channel shows.',
    tables: ['release', 'current_release'],
    sql: `SELECT id, project_id, r.channel_id, build_id, r.platform, sequence, notes, promoted_by_kind, promoted_by_id,
      promoted_at, c.release_id IS NOT NULL AS current FROM release r LEFT JOIN current_release c ON c.release_id = r.id
      WHERE ${OWN}`,
  },
  exported('release_mails', 'Who was told of which release.', [
    'release_mail',
    'project_id, release_id, tester_id, queued_at',
    OWN,
  ]),
  exported('install_links', 'Install links, without their tokens.', [
    'invite',
    'id, project_id, build_id, channel_id, tester_id, created_at, spent_at',
    OWN,
  ]),
  exported('testers', 'Its testers.', ['tester', 'id, project_id, email, name, platforms, created_at', OWN]),
  exported('subscriptions', 'Which tester is told of which channel.', [
    'subscription',
    'project_id, channel_id, tester_id, created_at',
    OWN,
  ]),
  exported(
    'suppressions',
    'That somebody left by themself; of their address only a digest is kept, which stays here.',
    ['suppression', 'id, project_id, channel_id, created_at', OWN],
  ),
  exported('billing_account', 'Its plan and its balance. Amounts are millionths of a US dollar.', [
    'billing_account',
    `plan, plan_since, balance_micro_usd, reserved_micro_usd, spend_cap_micro_usd, budget_alert_percents, spent_micro_usd,
      spent_period, alerted_percent, open_period, metered, fee_waived`,
    OWN,
  ]),
  exported('ledger', 'All that was ever credited or charged.', [
    'ledger_entry',
    'id, kind, amount_micro_usd, quantity, period, reference, created_at',
    OWN,
  ]),
  exported('statements', 'Its closed months.', [
    'billing_statement',
    `id, period, plan, opening_balance_micro_usd, credits_micro_usd, fees_micro_usd, storage_micro_usd, upload_micro_usd,
      download_micro_usd, closing_balance_micro_usd, storage_byte_ms, upload_bytes, download_bytes, created_at`,
    OWN,
  ]),
  exported('top_ups', 'Credit that was asked for.', [
    'top_up',
    'id, amount_micro_usd, provider, state, payment_reference, requested_by, created_at, paid_at',
    OWN,
  ]),
  exported('reservations', 'What uploads and downloads of late held of the balance.', [
    'reservation',
    'id, principal, kind, size_bytes, amount_micro_usd, metered, state, actual_bytes, created_at, expires_at, resolved_at',
    OWN,
  ]),
  exported('storage_intervals', 'What was stored, from when to when: what storage is charged by.', [
    'storage_interval',
    'id, build_id, size_bytes, started_at, ended_at',
    OWN,
  ]),
  exported('storage_account', 'Storage of its own, without the credentials.', [
    'storage_account',
    'id, provider, place, state, receives, created_at, updated_at',
    OWN,
  ]),
  exported('account_flags', 'Credentials of it that went on asking after they were told to wait.', [
    'account_flag',
    'id, principal, reason, hits, first_seen_at, last_seen_at',
    OWN,
  ]),
  exported('audit_events', 'Its audit feed.', [
    'audit_event',
    `id, type, actor_kind, actor_id, actor_label, time, host(source_ip) AS source_ip, request_id, project_id, payload,
      position, encode(hash, 'hex') AS hash`,
    OWN,
  ]),
];
