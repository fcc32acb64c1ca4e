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
  'developer.mfa_blocked': 'Too many wrong codes of a second factor: for a while none is looked at.',
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
  'audit.pruned': 'Events of this feed went, because they were older than the plan keeps them.',
  'billing.plan_changed': 'The plan of an organization was changed.',
  'billing.updated': 'The spend cap or the budget alerts of an organization were changed.',
  'billing.top_up_requested': 'Credit was asked for.',
  'billing.top_up_paid': 'Credit that was asked for has been paid.',
  'billing.credit_granted': 'An operator gave credit, or took it back.',
  'billing.fee_waiver_changed': "An operator waived the plan's fee, or charges it again.",
  'billing.budget_reached': 'Spending reached a percentage of the budget that is told of.',
  'billing.period_closed': 'A month was closed: its statement was drawn up.',
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
  'build.upload_started': 'A resumable upload was begun.',
  'build.upload_dropped': 'A resumable upload ended without a build: dropped, refused or expired.',
  'build.uploaded': 'A build was uploaded.',
  'build.updated': "A build's notes were changed.",
  'build.deleted': 'A build was deleted.',
  'build.download_url_created': 'A download URL was made.',
  'channel.created': 'A channel was made.',
  'channel.updated': 'A channel was renamed.',
  'channel.link_rotated': 'A channel got another install link; the one before ended.',
  'channel.deleted': 'A channel was deleted.',
  'release.promoted': 'A build was promoted into a channel.',
  'release.withdrawn': 'A release was withdrawn from its channel.',
  'tester.created': 'A tester was added to a project.',
  'tester.updated': 'A tester was renamed.',
  'tester.erased': 'A tester was erased, with their e-mail address and all their links.',
  'tester.invited': 'A tester was mailed a link.',
  'tester.subscribed': 'A tester joined a channel, by themself or through somebody else.',
  'tester.unsubscribed': 'A tester left a channel, by themself or through somebody else.',
  'tester.declined': 'A tester left the testing of a project altogether.',
  'tester.returned': 'A tester who had left the testing of a project came back.',
  'testers.imported': 'Many testers were added at once.',
  'byosa.configured': 'An organization set up storage of its own.',
  'byosa.changed': "The settings of an organization's own storage were changed, or its teardown was asked for.",
  'byosa.flipped':
    "New artifacts go to an organization's own storage, or to the hosted one again; its meters rest, or run again.",
  'byosa.removed': "An organization's own storage was forgotten.",
  'keys.rotated': 'An operator had the secrets at rest sealed with the current master key.',
  'jobs.retried': 'An operator had failed jobs tried again.',
  'jobs.swept': 'An operator had all periodic work done at once.',
  'blobs.clean_started': 'An operator began to have the artifacts deleted that no row knew.',
  'blobs.cleaned': 'An operator had the artifacts deleted that no row knew.',
  'backup.started': 'An operator began to make a backup.',
  'backup.created': 'An operator made a backup.',
  'backup.restored': 'This database was restored from a backup.',
  'organization.export_started': 'An operator began to export all data of an organization.',
  'organization.exported': 'An operator exported all data of an organization.',
  'organization.erasure_started': 'An operator began to have an organization erased.',
  'organization.erased': 'An operator had an organization erased, with all that belonged to it.',
  'developer.export_started': 'An operator began to export all data of a developer.',
  'developer.exported': 'An operator exported all data of a developer.',
  'developer.erased': 'An operator had an account erased.',
} as const;

export type AuditEventType = keyof typeof AUDIT_EVENT_TYPES;

/** The types as a list. */
export const AUDIT_EVENT_TYPE_NAMES = Object.keys(AUDIT_EVENT_TYPES) as AuditEventType[];

/**
 * A state change to be recorded. It can never be changed again, so payloads hold ids and plain values: never a secret, never
 * what a person must be able to have erased (an e-mail, a name of theirs).
 */
export interface AuditEvent {
  readonly type: AuditEventType;
  /** Null for events of an account that belong to no organization. */
  readonly organizationId: string | null;
  readonly projectId?: string | null;
  /** What was changed. */
  readonly payload: Readonly<Record<string, unknown>>;
}
