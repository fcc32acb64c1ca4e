/**
 * Every type of event of the audit feed (contract §12: `noun.verb_past`). The list is documented in
 * docs/generated/audit-events.md; a type that is not here cannot be recorded.
 */
export const AUDIT_EVENT_TYPES = {
  'developer.signed_up': 'An account was made.',
  'developer.email_verified': 'The e-mail address of an account was verified.',
  'developer.updated': 'A developer changed their profile.',
  'developer.password_reset': 'A password was set anew by a mailed link; all sessions ended.',
  'developer.password_changed': 'A developer changed their password; all sessions ended.',
  'developer.email_changed': 'The e-mail address of an account was changed; all sessions ended.',
  'developer.mfa_enabled': 'A second factor was set up; all sessions ended.',
  'developer.mfa_disabled': 'The second factor was taken away; all sessions ended.',
  'developer.recovery_code_used': 'Somebody logged in with a recovery code.',
  'developer.deleted': 'An account was deleted.',
  'account.flagged': 'A credential went on asking, a hundred times within an hour, after it was told to wait.',
  'login.succeeded': 'A developer logged in.',
  'login.failed': 'A login was refused.',
  'session.refresh_reuse': 'A used refresh token came back; its whole family was revoked.',
  'session.logged_out': 'A developer logged out; every session of theirs ended.',
  'organization.created': 'An organization was made.',
  'organization.updated': 'An organization was renamed.',
  'organization.deleted': 'An organization was deleted.',
  'member.invited': 'Somebody was invited into an organization.',
  'invitation.withdrawn': 'An invitation was withdrawn.',
  'member.joined': 'A developer joined an organization.',
  'member.roles_changed': "A member's organization roles were changed.",
  'member.removed': 'A member left or was removed.',
  'project_member.changed': "A member's role in a project was set.",
  'project_member.removed': "A member's role in a project was taken away.",
  'project.created': 'A project was made.',
  'project.updated': 'A project was changed.',
  'project.deleted': 'A project was deleted.',
  'project_access_token.created': 'A project access token was made.',
  'project_access_token.rotated': 'A project access token got a new value.',
  'project_access_token.revoked': 'A project access token was revoked.',
  'personal_access_token.created': 'A personal access token was made.',
  'personal_access_token.rotated': 'A personal access token got a new value.',
  'personal_access_token.revoked': 'A personal access token was revoked.',
  'build.uploaded': 'A build was uploaded.',
  'build.updated': "A build's notes were changed.",
  'build.deleted': 'A build was deleted.',
  'build.download_url_created': 'A download URL was made.',
} as const;

export type AuditEventType = keyof typeof AUDIT_EVENT_TYPES;

/** A state change to be recorded. Payloads hold ids and plain values; never a secret, never a tester's e-mail. */
export interface AuditEvent {
  readonly type: AuditEventType;
  /** Null for events of an account that belong to no organization. */
  readonly organizationId: string | null;
  readonly projectId?: string | null;
  /** What was changed. */
  readonly payload: Readonly<Record<string, unknown>>;
}
