/** The reasons why a file was rejected, and the remedies, by the reason in the response or else its error code. */
const refusals = {
  folder: {
    title: 'This is a folder.',
    remedy: 'Drop the file that is in it. An .app folder for macOS goes into a .zip or .dmg first.',
  },
  empty_file: { title: 'This file is empty.', remedy: 'Build the app again, then upload the complete file.' },
  file_unreadable: {
    title: 'The file was changed, moved or deleted while it was sent.',
    remedy: 'Choose the file again to upload it from the beginning.',
  },
  not_an_archive: {
    title: 'This file is damaged, or its content does not match its name.',
    remedy: 'Build or copy the app again, then upload the new file.',
  },
  corrupt_archive: {
    title: 'This file is damaged.',
    remedy: 'It was probably not copied to its end. Build or copy it again, then upload the new file.',
  },
  unreadable: {
    title: 'This file cannot be read as an app.',
    remedy: 'Build or copy it again, then upload the new file.',
  },
  corrupt_info_plist: {
    title: 'The Info.plist of the app cannot be read.',
    remedy: 'Build the app again, then upload the new file.',
  },
  corrupt_manifest: {
    title: 'The AndroidManifest.xml of the app cannot be read.',
    remedy: 'Build the app again, then upload the new file.',
  },
  no_app: { title: 'There is no app in this file.', remedy: 'Upload the .ipa, .apk or .aab file of your build.' },
  several_apps: { title: 'There is more than one app in this file.', remedy: 'Upload the apps one by one.' },
  split_apk: {
    title: 'This .apk is only one part of an app.',
    remedy: 'Upload the universal .apk or the .aab of the app.',
  },
  wrapped_app: {
    title: 'The app is in a subfolder of this file.',
    remedy: 'Zip the Payload folder itself, not the folder around it.',
  },
  wrong_type: {
    title: 'The content does not match the name of this file.',
    remedy: 'Give the file its right extension, or upload the right file.',
  },
  unsupported_type: {
    title: 'Files of this type cannot be distributed.',
    remedy: 'Upload a package that devices can install, for example .ipa, .apk, .dmg or .msi.',
  },
  invalid_bundle_id: {
    title: 'The bundle id of the app is missing or not valid.',
    remedy: 'Correct it in the project of the app and build again.',
  },
  platform_mismatch: {
    title: 'This file is for another platform.',
    remedy: 'Choose the platform that the file is for, then retry.',
  },
  platform_required: { title: 'This file does not contain its platform.', remedy: 'Choose the platform, then retry.' },
  version_required: { title: 'This file does not contain its version.', remedy: 'Enter the version, then retry.' },
  encrypted_archive: { title: 'This file is protected by a password.', remedy: 'Upload it without a password.' },
  unsupported_compression: {
    title: 'This file is compressed in a way that devices cannot read.',
    remedy: 'Compress it with deflate, as zip does by default.',
  },
  duplicate_entry: {
    title: 'This archive contains the same file twice.',
    remedy: 'Remove one of them and build again.',
  },
  unsafe_path: {
    title: 'A path in this archive leads outside of it.',
    remedy: 'Remove that entry or symbolic link and build again.',
  },
  archive_too_large: { title: 'This app unpacks to more than 4 GB.', remedy: 'Remove files and build again.' },
  compression_bomb: {
    title: 'This file unpacks to far more data than an app contains.',
    remedy: 'Remove the oversized files and build again.',
  },
  entry_too_large: {
    title: 'A file that describes the app is too large.',
    remedy: 'Check the contents of the app and build again.',
  },
  too_many_entries: { title: 'This file contains too many files for an app.', remedy: 'Remove files and build again.' },
  too_complex: {
    title: 'This file takes too long to read.',
    remedy: 'Check the contents of the app and build again.',
  },
  parts_mismatch: { title: 'The parts that arrived do not match the file.', remedy: 'Retry to send them again.' },
  sha256_mismatch: { title: 'The file that arrived is not the file that was sent.', remedy: 'Upload the file again.' },
  quota_exceeded: {
    title: 'This project has too many unfinished uploads.',
    remedy: 'Discard one or let it finish, then retry.',
  },
  rate_limit_exceeded: { title: 'There are too many uploads at the moment.', remedy: 'Wait a minute, then retry.' },
  storage_backend_unavailable: {
    title: 'The storage for builds cannot be reached.',
    remedy: 'What arrived is kept. Retry in a few minutes.',
  },
  network_error: {
    title: 'The service cannot be reached.',
    remedy: 'What arrived is kept. Check the network connection, then retry.',
  },
  internal_error: {
    title: 'The service could not process this upload.',
    remedy: 'What arrived is kept. Retry in a few minutes.',
  },
  unauthorized: { title: 'Your session has ended.', remedy: 'What arrived is kept. Log in, then retry.' },
  insufficient_role: {
    title: 'Your role does not allow uploads to this project.',
    remedy: 'Ask an administrator of the organization for the role Upload builds.',
  },
  email_not_verified: {
    title: 'Your e-mail address is not confirmed.',
    remedy: 'Open the link that we sent you, then retry.',
  },
  not_found: {
    title: 'This upload or its project no longer exists.',
    remedy: 'Retry to upload the file from the beginning.',
  },
  unexpected: {
    title: 'The upload was interrupted by an error of this page.',
    remedy: 'Reload the page, then continue the upload.',
  },
};

export const uploads = {
  heading: 'Uploads',
  count: (done: number, all: number) => `${done} of ${all}`,
  show: 'Show uploads',
  hide: 'Hide uploads',
  dropHere: 'Drop to upload',
  dropText: 'An .ipa, .apk, .aab or any other package',
  dropZone: 'Drop an .ipa, .apk or .aab here',
  openProjectFirst: 'Open the project that the build belongs to first.',
  chooseFile: 'Choose file',
  pause: 'Pause',
  resume: 'Resume',
  discard: 'Discard',
  retry: 'Retry',
  close: 'Close',
  notes: 'What to test',
  saveNotes: 'Save notes',
  channel: 'Promote to',
  noChannel: 'No channel',
  noChannels: 'This project has no channels yet.',
  version: 'Version',
  platform: 'Platform',
  choosePlatform: 'Choose a platform',
  platforms: { ios: 'iOS', android: 'Android', macos: 'macOS', windows: 'Windows', linux: 'Linux' },
  detailsNeeded: 'This kind of file does not contain its version and platform.',
  start: 'Start upload',
  starting: 'Starting…',
  sent: (sent: string, size: string) => `${sent} of ${size}`,
  paused: 'Paused',
  offline: 'Waiting for the network',
  reading: 'Reading the app…',
  uploaded: (version: string) => `Uploaded as ${version}`,
  warnings: { one: '# warning', other: '# warnings' },
  openBuild: 'Open build',
  copyLink: 'Copy install link',
  promote: 'Promote',
  promotedTo: (channel: string) => `Promoted to ${channel}`,
  notesFailed: 'The build exists, but its notes could not be saved.',
  promotionFailed: 'The build exists, but it was not promoted.',
  unfinished: 'Unfinished uploads',
  continue: (name: string) => `Continue ${name}`,
  arrived: (sent: string, size: string) => `${sent} of ${size} arrived`,
  otherFile: 'This is another file.',
  chooseSame: (name: string, size: string, time: string) =>
    `Choose ${name} of ${size}, last changed on ${time}. Nothing was sent.`,
  refusals,
  tooLarge: (size: string, max: string) => ({
    title: `This file has ${size}; at most ${max} are accepted.`,
    remedy: 'Make the app smaller. The operator of the service can raise the limit.',
  }),
  otherBundleId: (found: string, expected: string) => ({
    title: `This is another app: its bundle id is ${found}.`,
    remedy: `This project holds ${expected}. Upload the file to the project of its app, or create one.`,
  }),
  noCredit: (required: string, available: string) => ({
    title: 'The credit of the organization does not cover this upload.',
    remedy: `It costs ${required}; ${available} is available. Add credit, then retry.`,
  }),
  capReached: (required: string, available: string) => ({
    title: 'This upload would exceed the spending cap of the organization.',
    remedy: `It costs ${required}; ${available} is available this month. Raise the cap, then retry.`,
  }),
  addCredit: 'Add credit',
  raiseCap: 'Raise the cap',
};
