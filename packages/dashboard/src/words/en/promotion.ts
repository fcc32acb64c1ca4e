export const promotion = {
  promote: 'Promote',
  title: (version: string) => `Promote ${version}`,
  channel: 'Channel',
  chooseChannel: 'Choose a channel',
  notes: 'Notes for testers',
  changes: 'What changes for testers',
  first: 'The channel has no build of this platform yet.',
  sameBuild: 'This build is current in the channel already.',
  mailed: { one: '# tester will be mailed.', other: '# testers will be mailed.' },
  noSubscribers: 'No tester will be mailed: the channel has no subscribers yet.',
  nobody:
    'No tester will be mailed: the subscribers chose other platforms, or have not opened the mails that they already got.',
  sameBuildReason: 'It is current in this channel already',
  done: (version: string, channel: string) => `${version} is current in ${channel}.`,
  noChannels: 'The project has no channels yet.',
  createChannel: 'Create a channel',
};
