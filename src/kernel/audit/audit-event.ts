/** All types of audit events, as `noun.verb_past`, with their meaning. docs/generated/audit-events.md is generated from this list. */
export const AUDIT_EVENT_TYPES = {
  'developer.signed_up': 'A developer signed up.',
  'developer.invited': 'An operator created an account, whose owner chooses the password with a mailed link.',
  'developer.email_verified': 'A developer verified their e-mail address.',
  'developer.updated': 'A developer changed their profile.',
  'developer.password_reset': 'A developer set a new password with a mailed link. All sessions ended.',
  'developer.password_changed': 'A developer changed their password. All sessions ended.',
  'developer.email_changed': 'The e-mail address of an account was changed. All sessions ended.',
  'developer.mfa_enrolled':
    'A developer requested the secret of a second factor. It has no effect until it is confirmed.',
  'developer.mfa_enabled': 'A developer enabled the second factor. All sessions ended.',
  'developer.mfa_disabled': 'A developer disabled the second factor. All sessions ended.',
  'developer.mfa_blocked':
    'Too many wrong second-factor codes: for a while, codes are accepted only from known devices.',
  'developer.recovery_code_used': 'A developer logged in with a recovery code.',
  'developer.mfa_reset': 'An operator removed the second factor of an account. All sessions ended.',
  'developer.signed_out': 'An operator ended all sessions of an account.',
  'developer.suspended':
    'An operator suspended an account. All sessions ended, and no credential of the account is accepted.',
  'developer.unsuspended': 'An operator ended the suspension of an account.',
  'developer.deleted': 'An account was deleted.',
  'account.flagged': 'A credential exceeded its rate limit and sent a hundred more requests within an hour.',
  'login.succeeded': 'A developer logged in.',
  'login.failed': 'A login was rejected.',
  'session.refresh_reuse': 'A refresh token was used twice. The session was revoked.',
  'session.ended': 'A developer ended one of their sessions.',
  'session.others_ended': 'A developer ended all their sessions but one.',
  'session.logged_out': 'A developer logged out. All their sessions ended.',
  'organization.created': 'An organization was created.',
  'organization.updated': 'An organization was renamed.',
  'organization.deleted': 'An organization was deleted.',
  'audit.pruned': 'Events of this feed that are older than the retention of the plan were deleted.',
  'billing.plan_changed': 'The plan of an organization was changed.',
  'billing.updated': 'The spend cap or the budget alerts of an organization were changed.',
  'billing.top_up_requested': 'A top-up was requested.',
  'billing.top_up_paid': 'A requested top-up was paid.',
  'billing.credit_granted': 'An operator granted or withdrew credit.',
  'billing.fee_waiver_changed': "An operator waived the plan's fee, or ended the waiver.",
  'billing.budget_reached': 'Spending reached a budget alert percentage.',
  'billing.period_closed': 'A month was closed and its statement created.',
  'member.invited': 'A person was invited to an organization.',
  'invitation.withdrawn': 'An invitation was withdrawn.',
  'invitation.declined': 'The invited person declined an invitation.',
  'member.joined': 'A developer joined an organization.',
  'member.roles_changed': "A member's organization roles were changed.",
  'member.removed': 'A member left or was removed.',
  'project_member.changed': "A member's role in a project was set.",
  'project_member.removed': "A member's role in a project was removed.",
  'project.created': 'A project was created.',
  'project.updated': 'A project was changed.',
  'project.deleted': 'A project was deleted.',
  'project_access_token.created': 'A project access token was created.',
  'project_access_token.rotated': 'A project access token got a new value.',
  'project_access_token.revoked': 'A project access token was revoked.',
  'personal_access_token.created': 'A personal access token was created.',
  'personal_access_token.rotated': 'A personal access token got a new value.',
  'personal_access_token.revoked': 'A personal access token was revoked.',
  'build.upload_started': 'A resumable upload was started.',
  'build.upload_dropped': 'A resumable upload ended without a build: cancelled, rejected or expired.',
  'build.uploaded': 'A build was uploaded.',
  'build.updated': "A build's notes were changed.",
  'build.link_rotated': 'The install link of a build was replaced. The previous link stopped working.',
  'build.deleted': 'A build was deleted.',
  'build.download_url_created': 'A download URL was created.',
  'channel.created': 'A channel was created.',
  'channel.updated': 'A channel was renamed.',
  'channel.link_rotated': 'The install link of a channel was replaced. The previous link stopped working.',
  'channel.deleted': 'A channel was deleted.',
  'release.promoted': 'A build was promoted to a channel.',
  'release.withdrawn': 'A release was withdrawn from its channel.',
  'tester.created': 'A tester was added to a project.',
  'tester.updated': 'A tester was renamed.',
  'tester.erased': 'A tester was erased, with their e-mail address and all their links.',
  'tester.invited': 'An install link was mailed to a tester.',
  'tester.subscribed': 'A tester was subscribed to a channel, by the tester or by a member.',
  'tester.unsubscribed': 'A tester was unsubscribed from a channel, by the tester or by a member.',
  'tester.declined': 'A tester unsubscribed from the whole project.',
  'tester.returned': 'A tester who had unsubscribed from the project resubscribed.',
  'tester.platforms_chosen': 'A tester chose the platforms of the mails about releases.',
  'testers.imported': 'Testers were imported from a file.',
  'byosa.configured': 'An organization configured its own storage.',
  'byosa.changed': "The settings of an organization's own storage were changed, or its removal was requested.",
  'byosa.flipped':
    "New artifacts go to the organization's own storage, or to the hosted storage again. The meters were paused or resumed.",
  'byosa.removed': "An organization's own storage account was removed.",
  'keys.rotated': 'An operator re-encrypted the sealed secrets with the current master key.',
  'clock.confirmed': 'An operator confirmed the time after the clock had jumped ahead.',
  'jobs.retried': 'An operator retried failed jobs.',
  'jobs.swept': 'An operator ran all scheduled jobs.',
  'blobs.clean_started': 'An operator started to delete artifacts without a database row.',
  'blobs.cleaned': 'An operator deleted artifacts without a database row.',
  'backup.started': 'An operator started a backup.',
  'backup.created': 'An operator created a backup.',
  'backup.restored': 'This database was restored from a backup.',
  'organization.export_started': 'An operator started to export all data of an organization.',
  'organization.exported': 'An operator exported all data of an organization.',
  'organization.erasure_started': 'An operator started to erase an organization.',
  'organization.erased': 'An operator erased an organization and all its data.',
  'developer.export_started': 'An operator started to export all data of a developer.',
  'developer.exported': 'An operator exported all data of a developer.',
  'developer.erased': 'An operator erased an account.',
} as const;

export type AuditEventType = keyof typeof AUDIT_EVENT_TYPES;

export const AUDIT_EVENT_TYPE_NAMES = Object.keys(AUDIT_EVENT_TYPES) as AuditEventType[];

/**
 * A state change to record. An event is never changed or erased, so its payload holds ids and plain values: no secret, and no personal data
 * (a name or an e-mail address) that must be erasable.
 */
export interface AuditEvent {
  readonly type: AuditEventType;
  /** Null for account events, which belong to no organization. */
  readonly organizationId: string | null;
  readonly projectId?: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
}
