/** The screen of one tester. */
export const tester = {
  progress: 'Progress',
  added: 'Added',
  mailed: 'Last mail',
  opened: 'First opened',
  lastDownload: 'Last download',
  notYet: 'not yet',
  channels: 'Channels',
  downloads: 'Downloads',
  columns: { build: 'Build', device: 'Device', channel: 'Channel', time: 'Time', sent: 'Sent', state: 'State' },
  complete: 'complete',
  incomplete: 'not complete',
  noChannel: 'no channel',
  noDownloads: 'No download yet',
  noDownloadsText: 'A download counts when it begins through a link of this tester.',
  count: { one: '# download', other: '# downloads' },
  bounced: (code: string) => `No mail reaches this address (${code})`,
  bouncedText:
    'The mail server says that it is invalid, so no mails are sent to it. Check the spelling: to correct the address, erase this tester and add them again. An invitation tries the address once more.',
  left: 'This tester left the project',
  leftText:
    'They get no mails and are not brought back. Only they can come back, through a link that was mailed to them.',
};
