export const promotion = {
  promote: 'Promote',
  promoteAnyway: 'Promote anyway',
  blocked: 'No device installs this build.',
  warnings: 'Warnings',
  isNew: 'new',
  title: (version: string) => `Promote ${version}`,
  channel: 'Channel',
  notes: 'Notes for testers',
  notify: 'Notify subscribers',
  mandatory: 'Mandatory update',
  mandatoryHint: 'Installed apps that check for updates must install it.',
  silent: 'No tester will be mailed about this release.',
  changes: 'What changes for testers',
  first: 'The channel has no build of this platform yet.',
  sameBuild: 'This build is current in the channel already.',
  mailed: { one: '# tester will be mailed.', other: '# testers will be mailed.' },
  noSubscribers: 'No tester will be mailed: the channel has no subscribers yet.',
  noRecipients:
    'No tester will be mailed: the subscribers chose other platforms, have not opened the mails that they already got, or have an invalid address.',
  sameBuildReason: 'It is current in this channel already',
  done: (version: string, channel: string) => `${version} is current in ${channel}.`,
  mailsSoon: { one: '# mail goes out in a minute.', other: '# mails go out in a minute.' },
  undo: 'Undo',
  undone: (version: string, channel: string, before: string) =>
    `${version} was taken back: ${before} is current in ${channel} again. No mail about it goes out.`,
  undoneFirst: (version: string, channel: string) =>
    `${version} was taken back from ${channel}. No mail about it goes out.`,
  undoFailed: {
    undo_expired:
      'It is too late: a promotion can be undone for a minute, before its mails go out. Withdraw the release.',
    undo_reminded: 'It cannot be undone: testers were reminded of it. Withdraw the release.',
    undo_replaced: 'It cannot be undone: another build was promoted since.',
  } as Record<string, string>,
  noChannels: 'The project has no channels yet.',
  createChannel: 'Create a channel',
};
