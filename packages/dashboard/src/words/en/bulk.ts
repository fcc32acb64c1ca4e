/** Actions on several testers in one step: their dialogs and results. */
export const bulk = {
  titles: {
    subscribe: { one: 'Subscribe # tester', other: 'Subscribe # testers' },
    unsubscribe: { one: 'Unsubscribe # tester', other: 'Unsubscribe # testers' },
    invite: { one: 'Invite # tester', other: 'Invite # testers' },
    erase: { one: 'Erase # tester', other: 'Erase # testers' },
    remind: { one: 'Remind # tester', other: 'Remind # testers' },
  },
  texts: {
    subscribe:
      'They get a mail at each promotion to the channel, beginning with the next. People who left by themselves stay unsubscribed.',
    unsubscribe: 'They get no more mails about the channel. You can subscribe them again.',
    invite: 'Each of them gets a mail with a link of their own now.',
    erase:
      'Their addresses, names, subscriptions and links are deleted immediately. The download log keeps ids without personal data. This cannot be undone.',
  },
  remindText: (version: string, channel: string) =>
    `Each of them gets one more mail with the link to ${version} in ${channel}. People who were reminded of it in the last 24 hours are skipped.`,
  done: {
    subscribe: { one: '# tester was subscribed.', other: '# testers were subscribed.' },
    unsubscribe: { one: '# tester was unsubscribed.', other: '# testers were unsubscribed.' },
    invite: { one: '# invitation was sent.', other: '# invitations were sent.' },
    erase: { one: '# tester was erased.', other: '# testers were erased.' },
    remind: { one: '# reminder was sent.', other: '# reminders were sent.' },
  },
  channel: 'Channel',
  allChannels: 'All their channels',
  field: (count: string) => `Type ${count} to confirm`,
  mismatch: 'Type the number of testers.',
  result: 'Result',
  skipped: (count: string, reason: string) => `${count} skipped: ${reason}`,
  reasons: {
    has_it: 'has the build already',
    has_newer: 'has a newer build',
    bounced: 'address invalid',
    left: 'left by themselves',
    reminded_recently: 'reminded in the last 24 hours',
    not_in_audience: 'not concerned by the release',
    not_found: 'no longer a tester',
    unchanged: 'not subscribed before',
    unopened: 'got several mails and opened none',
    rate_limited: 'the limit of mails is reached',
  },
};
