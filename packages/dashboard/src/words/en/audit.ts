import { type AuditEventType } from '@agate/client';
import { type EventFacts, type EventWords } from '../event-words';

const EVENTS = { one: '# event', other: '# events' };
const DEVICES = { one: '# device', other: '# devices' };
const TESTERS = { one: '# tester', other: '# testers' };
const IN_DAYS = { one: 'in # day', other: 'in # days' };
const SIGNING: Readonly<Record<string, string>> = {
  profile: 'provisioning profile',
  certificate: 'signing certificate',
};

const tester = (f: EventFacts): string => f.subject || 'a tester';
const projectToken = (f: EventFacts): string =>
  f.subject ? `the project access token ${f.subject}` : 'a project access token';
const personalToken = (f: EventFacts): string =>
  f.subject ? `the personal access token ${f.subject}` : 'a personal access token';
const webhook = (f: EventFacts): string => (f.text('name') ? `the webhook ${f.text('name')}` : 'a webhook');

const events: Record<AuditEventType, EventWords> = {
  'developer.signed_up': 'Account created',
  'developer.invited': 'Account created by an operator',
  'developer.email_verified': 'E-mail address confirmed',
  'developer.updated': 'Profile changed',
  'developer.password_reset': 'Password reset',
  'developer.password_changed': 'Password changed',
  'developer.email_changed': 'E-mail address changed',
  'developer.mfa_enrolled': 'Two-factor login requested',
  'developer.mfa_enabled': 'Two-factor login turned on',
  'developer.mfa_disabled': 'Two-factor login turned off',
  'developer.mfa_blocked': 'Two-factor codes blocked for a while',
  'developer.recovery_code_used': 'Recovery code used',
  'developer.mfa_reset': 'Two-factor login removed by an operator',
  'developer.signed_out': 'All sessions ended by an operator',
  'developer.suspended': 'Account suspended',
  'developer.unsuspended': 'Suspension ended',
  'developer.deleted': 'Account deleted',
  'account.flagged': 'Rate limit exceeded many times',
  'login.succeeded': 'Logged in',
  'login.failed': 'Login rejected',
  'device_login.confirmed': 'Login of a program confirmed',
  'device_login.denied': 'Login of a program cancelled',
  'session.refresh_reuse': 'Session revoked: its token was used twice',
  'session.ended': 'Session ended',
  'session.others_ended': 'All other sessions ended',
  'session.logged_out': 'Logged out',
  'organization.created': ['Organization created', (f) => `Created the organization ${f.text('name')}`],
  'organization.updated': ['Organization renamed', (f) => `Renamed the organization to ${f.text('name')}`],
  'organization.branding_updated': 'Branding changed',
  'organization.deleted': 'Organization deleted',
  'audit.pruned': [
    'Old events deleted',
    (f) => `Deleted ${f.count('events', EVENTS)} from before ${f.date('before')}: the plan keeps no older ones`,
  ],
  'billing.plan_changed': ['Plan changed', (f) => `Changed the plan from ${f.plan('previous')} to ${f.plan('plan')}`],
  'billing.updated': [
    'Spending cap or alerts changed',
    (f) =>
      `Set the spending cap to ${f.money('spend_cap_micro_usd') || 'none'}` +
      (f.list('budget_alert_percents') ? `, alerts at ${f.list('budget_alert_percents')} %` : ''),
  ],
  'billing.top_up_requested': ['Top-up requested', (f) => `Requested a top-up of ${f.money('amount_micro_usd')}`],
  'billing.top_up_paid': ['Top-up paid', (f) => `Booked a paid top-up of ${f.money('amount_micro_usd')}`],
  'billing.credit_granted': [
    'Credit granted',
    (f) => `Granted ${f.money('amount_micro_usd')} of credit (${f.text('reference')})`,
  ],
  'billing.fee_waiver_changed': [
    'Fee waiver changed',
    (f) => (f.isTrue('waived') ? "Waived the plan's fee" : "Ended the waiver of the plan's fee"),
  ],
  'billing.budget_reached': [
    'Budget alert reached',
    (f) => `Spending reached ${f.number('percent')} % of the budget of ${f.month('period')}`,
  ],
  'billing.period_closed': [
    'Month closed',
    (f) => `Closed ${f.month('period')} and wrote its statement${f.isTrue('last') ? ', the last one' : ''}`,
  ],
  'member.invited': ['Member invited', (f) => `Invited ${f.subject || 'a person'} as ${f.roles('roles')}`],
  'invitation.withdrawn': 'Invitation withdrawn',
  'invitation.declined': 'Invitation declined',
  'member.joined': ['Member joined', (f) => `Joined the organization as ${f.roles('roles')}`],
  'member.roles_changed': [
    'Roles changed',
    (f) => `Changed the roles of ${f.person || 'a member'} from ${f.roles('previous_roles')} to ${f.roles('roles')}`,
  ],
  'member.removed': [
    'Member removed',
    (f) =>
      f.actorId === f.text('developer_id')
        ? 'Left the organization'
        : `Removed ${f.person || 'a member'} from the organization`,
  ],
  'project_member.changed': [
    'Project role set',
    (f) => `Set the role of ${f.person || 'a member'} in the project to ${f.roles('role')}`,
  ],
  'project_member.removed': [
    'Project role removed',
    (f) => `Removed the role of ${f.person || 'a member'} in the project`,
  ],
  'project.created': ['Project created', (f) => `Created the project ${f.text('name')}`],
  'project.updated': [
    'Project changed',
    (f) => (f.text('name') ? `Renamed the project to ${f.text('name')}` : 'Changed the project'),
  ],
  'project.min_supported_changed': 'Lowest supported versions changed',
  'project.retention_changed': ['Retention changed', () => 'Changed the retention rules'],
  'project.deleted': 'Project deleted',
  'project_access_token.created': [
    'Project access token created',
    (f) => `Created ${projectToken(f)} with the role ${f.roles('role')}`,
  ],
  'project_access_token.rotated': [
    'Project access token rotated',
    (f) =>
      f.isTrue('overlap_seconds')
        ? `Gave ${projectToken(f)} a new value; the old one stays valid for ${f.number('overlap_seconds')} s`
        : `Gave ${projectToken(f)} a new value`,
  ],
  'project_access_token.revoked': ['Project access token revoked', (f) => `Revoked ${projectToken(f)}`],
  'personal_access_token.created': [
    'Personal access token created',
    (f) => `Created ${personalToken(f)} for ${f.list('scopes')}`,
  ],
  'personal_access_token.rotated': ['Personal access token rotated', (f) => `Gave ${personalToken(f)} a new value`],
  'personal_access_token.revoked': [
    'Personal access token revoked',
    (f) => `Revoked ${personalToken(f)}${f.person ? ` of ${f.person}` : ''}`,
  ],
  'build.upload_started': ['Upload started', (f) => `Started an upload of ${f.bytes('size_bytes')}`],
  'build.upload_dropped': [
    'Upload ended without a build',
    (f) =>
      ({ dropped: 'Discarded an upload', expired: 'An unfinished upload expired', refused: 'An upload was refused' })[
        f.text('reason')
      ] ?? 'An upload ended without a build',
  ],
  'build.uploaded': [
    'Build uploaded',
    (f) => `Uploaded ${f.build} for ${f.platforms('platform')}, ${f.bytes('size_bytes')}`,
  ],
  'build.updated': ['Notes changed', (f) => `Changed the notes of ${f.build || 'a build'}`],
  'build.link_rotated': [
    'Install link of a build replaced',
    (f) => `Replaced the install link of ${f.build || 'a build'}`,
  ],
  'build.deleted': ['Build deleted', (f) => `Deleted ${f.build || 'a build'}`],
  'build.restored': ['Build restored', (f) => `Restored ${f.build || 'a build'} from the trash`],
  'build.purged': ['Build deleted from the trash', (f) => `Deleted ${f.build || 'a build'} from the trash`],
  'build.deletion_scheduled': [
    'Build about to be deleted',
    (f) => `${f.build || 'A build'} moves to the trash on ${f.date('expires_at')}`,
  ],
  'build.signing_expires': [
    'Signing of a build expires soon',
    (f) => `The ${SIGNING[f.text('what')] ?? 'signing'} of ${f.build} expires ${f.count('days_left', IN_DAYS)}`,
  ],
  'build.signing_expired': [
    'Signing of a build expired',
    (f) => `The ${SIGNING[f.text('what')] ?? 'signing'} of ${f.build} expired on ${f.date('expires_at')}`,
  ],
  'build.download_url_created': ['Download started', (f) => `Requested a download of ${f.build || 'a build'}`],
  'attachment.created': [
    'File added to a build',
    (f) => `Added ${f.text('file_name')} to ${f.build || 'a build'}, ${f.bytes('size_bytes')}`,
  ],
  'attachment.deleted': [
    'File of a build deleted',
    (f) => `Deleted the file ${f.text('file_name')} of ${f.build || 'a build'}`,
  ],
  'build.update_signature_set': [
    'Update signature of a build changed',
    (f) => `Changed the update signature of ${f.build || 'a build'}`,
  ],
  'channel.created': ['Channel created', (f) => `Created the channel ${f.text('name')}`],
  'channel.updated': ['Channel renamed', (f) => `Renamed a channel to ${f.text('name')}`],
  'channel.link_rotated': [
    'Install link of a channel replaced',
    (f) => `Replaced the install link of the channel${f.channel ? ` ${f.channel}` : ''}`,
  ],
  'channel.deleted': ['Channel deleted', (f) => `Deleted the channel ${f.text('name')}`],
  'link.created': ['Link created', (f) => `Created the link ${f.text('name')}`],
  'link.updated': ['Link changed', (f) => `Changed the link ${f.text('name')}`],
  'link.rotated': ['Link replaced', (f) => `Replaced the address of the link ${f.text('name')}`],
  'link.deleted': ['Link deleted', (f) => `Deleted the link ${f.text('name')}`],
  'link.password_failed': ['Wrong password of a link', () => 'Sent a wrong password to a link'],
  'update_key.created': ['Update key created', (f) => `Created an update key for ${f.platforms('platform')}`],
  'update_key.rotated': ['Update key replaced', (f) => `Replaced the update key for ${f.platforms('platform')}`],
  'update_key.revoked': ['Update key revoked', (f) => `Revoked the update key for ${f.platforms('platform')}`],
  'release.promoted': [
    'Build promoted',
    (f) =>
      `Promoted ${f.build || 'a build'} for ${f.platforms('platform')} to ${f.channel || 'a channel'}, release ${f.number('sequence')}`,
  ],
  'release.undone': [
    'Promotion undone',
    (f) =>
      `Took back ${f.build || 'a build'} for ${f.platforms('platform')} from ${f.channel || 'a channel'} before mails went out`,
  ],
  'release.withdrawn': [
    'Release withdrawn',
    (f) => `Withdrew release ${f.number('sequence')} for ${f.platforms('platform')} from ${f.channel || 'a channel'}`,
  ],
  'release.reminded': [
    'Testers reminded',
    (f) => `Reminded ${f.number('queued')} testers of ${f.build || 'a build'} in ${f.channel || 'a channel'}`,
  ],
  'channel.subscribers_changed': [
    'Subscribers changed',
    (f) =>
      `Subscribed ${f.count('subscribed', TESTERS)} to ${f.channel || 'a channel'}, unsubscribed ${f.number('unsubscribed')}`,
  ],
  'tester.created': ['Tester added', (f) => `Added ${tester(f)}`],
  'tester.updated': ['Tester renamed', (f) => `Renamed ${tester(f)}`],
  'tester.erased': 'Tester erased',
  'tester.invited': [
    'Tester invited',
    (f) =>
      `Mailed ${tester(f)} the install link of ${f.build || f.channel || (f.text('channel_id') ? 'a channel' : 'a build')}`,
  ],
  'tester.bounced': ['Address of a tester invalid', (f) => `No mail reaches ${tester(f)} (${f.text('code')})`],
  'tester.subscribed': ['Tester subscribed', (f) => `Subscribed ${tester(f)} to ${f.channel || 'a channel'}`],
  'tester.unsubscribed': ['Tester unsubscribed', (f) => `Unsubscribed ${tester(f)} from ${f.channel || 'a channel'}`],
  'tester.declined': ['Tester left', (f) => `${f.subject || 'A tester'} left the project`],
  'tester.returned': ['Tester came back', (f) => `${f.subject || 'A tester'} came back to the project`],
  'tester.platforms_chosen': [
    'Platforms of mails chosen',
    (f) => `${f.subject || 'A tester'} wants mails about ${f.platforms('platforms')}`,
  ],
  'testers.imported': [
    'Testers imported',
    (f) =>
      `Imported ${f.count('created', TESTERS)}` +
      (f.text('channel_id') ? `, subscribed ${f.number('subscribed')} to ${f.channel || 'a channel'}` : ''),
  ],
  'device.registered': 'Device registered',
  'device.updated': 'Device changed',
  'device.included': [
    'Device included',
    (f) => `A device is in the profile of ${f.build || 'a build'} for the first time`,
  ],
  'device.removed': 'Device removed',
  'devices.imported': ['Devices imported', (f) => `Imported ${f.count('created', DEVICES)}`],
  'devices.exported': ['Device ids read', (f) => `Read the ids of ${f.count('count', DEVICES)}`],
  'devices.marked_registered': 'Devices marked as registered with Apple',
  'byosa.configured': ['Own storage configured', (f) => `Configured own storage (${f.text('provider')})`],
  'byosa.changed': [
    'Own storage changed',
    (f) =>
      f.text('state') === 'draining' ? 'Requested the end of own storage' : 'Changed the settings of own storage',
  ],
  'byosa.flipped': [
    'Storage switched',
    (f) => (f.text('to') === 'byosa' ? 'Sent new files to own storage' : 'Sent new files to the hosted storage again'),
  ],
  'byosa.removed': 'Own storage removed',
  'webhook.created': ['Webhook created', (f) => `Created ${webhook(f)}`],
  'webhook.updated': ['Webhook changed', (f) => `Changed ${webhook(f)}`],
  'webhook.secret_rotated': ['Secret of a webhook rotated', (f) => `Replaced the secret of ${webhook(f)}`],
  'webhook.resumed': ['Webhook switched on', (f) => `Switched on ${webhook(f)}`],
  'webhook.turned_off': ['Webhook switched off', (f) => `Switched off ${webhook(f)}`],
  'webhook.deleted': ['Webhook deleted', (f) => `Deleted ${webhook(f)}`],
  'keys.rotated': 'Secrets re-encrypted',
  'clock.confirmed': 'Clock confirmed',
  'jobs.retried': 'Failed jobs retried',
  'jobs.swept': 'Scheduled jobs run',
  'blobs.clean_started': 'Cleaning of the storage started',
  'blobs.cleaned': 'Storage cleaned',
  'backup.started': 'Backup started',
  'backup.created': 'Backup created',
  'backup.restored': 'Backup restored',
  'organization.export_requested': 'Export of all data requested',
  'organization.export_started': 'Export of all data started',
  'organization.exported': 'All data exported',
  'organization.erasure_started': 'Erasure of the organization started',
  'organization.erased': 'Organization erased',
  'developer.export_requested': "Export of a developer's data requested",
  'developer.export_started': "Export of a developer's data started",
  'developer.exported': "A developer's data exported",
  'developer.erased': 'Account erased',
};

export const audit = {
  heading: 'Audit feed',
  type: 'Event type',
  allTypes: 'All event types',
  person: 'Person',
  everybody: 'Everybody',
  address: 'IP address',
  invalidAddress: 'Enter an IP address, for example 192.0.2.7.',
  project: 'Project',
  allProjects: 'All projects',
  deletedProject: 'a deleted project',
  day: 'Day',
  previous: 'Previous day with events',
  next: 'Next day with events',
  noPrevious: 'There are no earlier events',
  noNext: 'There are no later events',
  table: 'Events',
  columns: { time: 'Time', who: 'Who', what: 'What', where: 'Where', address: 'IP address' },
  actors: {
    developer: 'Developer',
    project_access_token: 'Project access token',
    invite: 'Tester',
    update_key: 'Installed app',
    anonymous: 'Without a login',
    system: 'The service',
    operator: 'Operator',
  },
  deletedAccount: 'A deleted account',
  count: EVENTS,
  details: {
    time: 'Time',
    who: 'Who',
    actorId: 'Id of who did it',
    address: 'IP address',
    project: 'Project',
    type: 'Type',
    id: 'Event id',
    requestId: 'Request id',
    payload: 'Payload',
    copyPayload: 'Copy payload',
    copyRequestId: 'Copy request id',
    openBuild: 'Open build',
    openChannel: 'Open channel',
    openTester: 'Open tester',
  },
  exportDay: 'Export day',
  exportCsv: 'As CSV',
  exportJson: 'As JSON, with every field',
  read: { one: '# event read', other: '# events read' },
  nothing: {
    heading: 'Nothing on this day',
    text: 'Days begin and end in UTC.',
    filtered: 'No event of this day has all of these properties. Days begin and end in UTC.',
    goTo: (day: string) => `Go to ${day}`,
  },
  refused: {
    heading: 'You may not read the audit feed',
    text: (reason: string) => `${reason}. Ask an Admin of the organization.`,
  },
  events,
};
