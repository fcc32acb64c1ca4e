/** The texts of the pages that register a device, in English. All texts are plain: the templates escape them. */
export const devicesEn = {
  title: 'Register your iPhone or iPad',
  why: 'Some test versions run only on devices that the developer has registered with Apple. Register yours once, and the next version can include it.',
  sent: {
    title: 'What your device sends',
    items: ['its device id (UDID)', 'its model, such as iPhone 14 Pro', 'the version of its system'],
    use: (project: string) =>
      `The people who make ${project} use the id to register your device with Apple. It is stored encrypted, and deleted with your data.`,
  },
  agree: 'I agree: load the profile',
  steps: [
    'Tap Allow when your device asks about the profile.',
    'Open Settings and tap Profile Downloaded at the top, then Install. The profile only sends the data above and disappears.',
    'Your browser opens again and shows the result.',
  ],
  refused: 'In Lockdown Mode, and on devices that a company or school manages, profiles may be refused.',
  wrongBrowser: 'Only Safari can load the profile. Copy the address of this page and open it in Safari.',
  unnamed: 'Your device',
  own: { title: 'Your devices', name: 'Name of the device', rename: 'Save the name', remove: 'Remove this device' },
  back: 'Back to the app',
  profile: {
    name: (project: string) => `Register with ${project}`,
    description: (project: string) =>
      `Sends the id, model and system version of this device to the people who make ${project}. Changes nothing and is removed immediately.`,
  },
  included: {
    title: 'Your device is included',
    text: (device: string, project: string, version: string) =>
      `${device} is in the profile of ${project} ${version}: you can install it.`,
  },
  missing: {
    title: 'Your device is registered',
    text: (device: string, project: string) =>
      `No version of ${project} includes ${device} yet. The team sees it in their list.`,
    mailed: (project: string) => `You get a mail as soon as a version of ${project} includes it.`,
    anonymous: 'Ask the person who sent you the link for the next version.',
  },
  answer: {
    check: 'Check this device',
    unknown: {
      title: 'Does it install on this device?',
      text: 'This version installs only on devices that the developer has registered. Find out whether yours is one of them.',
    },
    included: {
      title: 'This device is included',
      text: (version: string) => `It is in the profile of version ${version}.`,
    },
    missing: {
      title: 'This version does not include this device yet',
      mailed: 'Your device is registered. You get a mail when a version includes it.',
      anonymous: 'Your device is registered. Ask the person who sent you the link for the next version.',
    },
  },
};
