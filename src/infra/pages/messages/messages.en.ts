import { android } from './android.en';
import { devicesEn } from './devices.en';
import { linksEn } from './links.en';
import { warnings } from './warnings.en';

/**
 * The texts of the pages in English. To add a language, copy this file and `warnings.en.ts`, translate them and add the messages to `messages.ts`;
 * the compiler checks that no text is missing. All texts are plain: the templates escape them.
 */
export const en = {
  languageTag: 'en',
  /** The name of the language in that language, for the link that switches to it. */
  languageName: 'English',
  footer: 'Distributed with Agate',
  contact: 'Contact:',
  privacy: 'Privacy',

  account: {
    verified: {
      title: 'Your e-mail address is verified',
      text: 'Thank you. You can close this page and log in.',
    },
    alreadyVerified: {
      title: 'Your e-mail address is already verified',
      text: 'You used this link before. You can log in now.',
    },
    verifyLinkInvalid: {
      title: 'This verification link no longer works',
      text: 'It has expired, or a newer link has replaced it. Enter your e-mail address and we will send you a new one.',
      submit: 'Send a new link',
    },
    verifyLinkSent: {
      title: 'Check your inbox',
      text: 'If this address belongs to an account that still has to be verified, a new link is on its way.',
    },
    resetPassword: {
      title: 'Choose a new password',
      text: 'Use at least 10 characters. A sentence that you can remember is better than a word with symbols. All other sessions will be logged out.',
      submit: 'Set the new password',
    },
    passwordRefused: {
      malformed: 'This password contains characters that cannot be stored. Choose another one.',
      too_short: 'This password is too short. Use 10 characters or more.',
      too_long: 'This password is too long. Use 256 characters or fewer.',
      too_common: 'This is one of the most common passwords. Choose another one.',
    },
    resetDone: {
      title: 'Your new password is set',
      text: 'All sessions were logged out. Log in with the new password.',
    },
    forgotten: {
      title: 'Forgotten your password?',
      text: 'Enter your e-mail address and we will send you a link to choose a new one.',
      submit: 'Send the link',
    },
    resetLinkInvalid: {
      title: 'This reset link no longer works',
      text: 'It has expired or was used before. Enter your e-mail address and we will send you a new one.',
      submit: 'Send a new link',
    },
    resetLinkSent: {
      title: 'Check your inbox',
      text: 'If this address belongs to an account, a link to choose a new password is on its way.',
    },
    confirmNewEmail: {
      title: 'Confirm your new address',
      text: 'After that you log in with the new address. All sessions will be logged out.',
      submit: 'Confirm the address',
    },
    emailChanged: {
      title: 'Your new address is confirmed',
      text: 'All sessions were logged out. Log in with the new address.',
    },
    emailLinkInvalid: {
      title: 'This link no longer works',
      text: 'It has expired or was used before. Log in and change your address again to get a new one.',
    },
    invitation: {
      title: 'You are invited',
      text: 'Log in to the account with the e-mail address that the invitation was sent to, then accept it here.',
      submit: 'Accept the invitation',
    },
    joined: {
      title: 'You have joined',
      text: (organization: string) => `You are now a member of ${organization}.`,
    },
    logIn: 'Log in',
    signUp: 'Sign up',
    openDashboard: 'Open the dashboard',
    email: 'E-mail address',
    newPassword: 'New password',
    revokePats: 'Also revoke all my personal access tokens. Tick this if another person may know your password.',
  },

  captcha: {
    title: 'Proof that you are not a script',
    solving: 'Your browser is solving a small puzzle that keeps scripts out…',
    solved: 'The puzzle is solved.',
    failed:
      'Your browser could not solve the puzzle. It needs an address that starts with https://. Reload to try again.',
    noScript: 'This form is protected against automated requests. Switch on JavaScript to send it.',
    notNeeded: 'This service does not require a captcha.',
  },

  errors: {
    requestId: (id: string) => `If you ask for help, quote this number: ${id}`,
    tryAgain: 'Try again',
    notFound: {
      title: 'This link does not work',
      text: 'It may have been mistyped or replaced, or it has ended. Ask the person who sent it to you for a new one.',
    },
    visitEnded: {
      title: 'This visit has ended',
      text: 'A protected link stays open for half an hour. Open it again to continue.',
      open: 'Open the link again',
    },
    noPage: {
      title: 'This page does not exist',
      text: 'The address may have been mistyped. If a person sent it to you, ask them for a new one.',
    },
    payment: {
      title: 'This download is paused',
      text: 'The team that shares this app has used up its download allowance for now. Nothing is wrong with your device. Please tell the person who sent you the link, then try again later.',
    },
    unavailable: {
      title: 'We will be right back',
      text: 'The service cannot reach its storage at the moment. Nothing was lost. Wait a minute, then try again.',
    },
    tooMany: {
      title: 'One moment, please',
      text: 'Too many requests came from your network in a short time.',
      wait: (seconds: number) =>
        seconds === 1 ? 'Wait one second, then try again.' : `Wait ${seconds} seconds, then try again.`,
    },
    busy: {
      title: 'One moment, please',
      text: 'Many downloads through this link are under way. Nothing is wrong with your device or the link. Try again in some minutes.',
    },
    rejected: {
      title: 'That did not work',
      text: 'The service did not accept this. Check what you entered, and try again.',
    },
    unauthorized: {
      title: 'Log in first',
      text: 'You need an account for this. Log in with this browser, then open the link again.',
    },
    unverified: {
      title: 'Confirm your e-mail address first',
      text: 'Open the link in the mail that you got when you signed up, then come back here.',
    },
    alreadyDone: {
      title: 'This is already done',
      text: 'You do not need to do anything.',
    },
    notHere: {
      title: 'This cannot be done from here',
      text: 'Open the link in your message again and start there.',
    },
    internal: {
      title: 'Something went wrong on our side',
      text: 'It is not your fault, and we have recorded the error. Please try again in a moment.',
    },
  },

  devices: devicesEn,
  links: linksEn,

  testing: {
    unsubscribe: {
      title: (name: string) => `Unsubscribe from ${name}?`,
      text: 'You will no longer get mails about new versions. Your existing links keep working.',
      submit: 'Unsubscribe',
    },
    subscribed: {
      title: (name: string) => `You are subscribed to ${name}`,
      text: 'When a new version is ready, we will mail you a link.',
    },
    returned: {
      title: (name: string) => `Welcome back to ${name}`,
      text: 'You can be invited to test again.',
    },
    unsubscribed: {
      title: (name: string) => `You are unsubscribed from ${name}`,
      text: 'You will no longer get mails about it.',
    },
    declined: {
      title: (name: string) => `You no longer test ${name}`,
      text: 'You will no longer get mails about it.',
    },
    platformsChosen: {
      title: (project: string) => `Your choice for ${project} is saved`,
      text: (systems: string) => `You get mails about new versions for: ${systems}.`,
      all: 'You get mails about all new versions.',
    },
    undo: { text: 'If that was a mistake, you can undo it here.', submit: 'Undo' },
    alreadyDone: {
      title: 'This is already done',
      text: 'This link was used before, so nothing was changed. Each mail contains a new link.',
    },
  },

  install: {
    pageTitle: (app: string, version: string) => `Install ${app} ${version}`,
    pageDescription: (organization: string, system: string) =>
      `A test version for ${system}, shared by ${organization}.`,
    systems: { ios: 'iOS', android: 'Android', macos: 'macOS', windows: 'Windows', linux: 'Linux' },
    version: (version: string) => `Version ${version}`,
    versionAndBuild: (version: string, buildNumber: string) => `Version ${version} (${buildNumber})`,
    iconOf: (app: string) => `Icon of ${app}`,

    actions: {
      installIos: 'Install',
      downloadApk: 'Download and install',
      download: 'Download',
      downloadFile: 'Download the file instead',
      tryAnyway: 'Try to install here anyway',
      installInstead: (version: string) => `Install ${version} instead`,
      copyLink: 'Copy link',
      copied: 'Copied',
      linkToThisPage: 'Link to this page',
      thisIsAnIpad: 'I am on an iPad or iPhone',
      thisIsAnAndroid: 'I am on an Android device',
    },
    notes: {
      installIos: 'Your device asks you to confirm. The app then appears on your Home Screen.',
      downloadApk: 'Open the file after the download. Your device may ask once whether this browser may install apps.',
      otherSystem: (system: string) => `This file is for ${system}.`,
    },
    scan: {
      title: (systems: string) => `Open this page on your ${systems}`,
      ios: 'iPhone or iPad',
      android: 'Android phone',
      phone: 'phone',
      text: 'Point its camera at the code, then follow the link.',
      alt: 'QR code with the address of this page',
    },
    elsewhere: {
      title: (system: string) => `This version is for ${system}`,
      text: (device: string) => `Open this page on ${device} to install it.`,
      devices: {
        ios: 'an iPhone or iPad',
        android: 'an Android device',
        macos: 'a Mac',
        windows: 'a Windows computer',
        linux: 'a Linux computer',
      },
    },
    overview: {
      pageTitle: (project: string) => `Test versions of ${project}`,
      pageDescription: (organization: string) => `Test versions, shared by ${organization}.`,
      nothingFor: (system: string) => `There is no version for ${system} here`,
      othersBelow: 'Versions for other devices are listed below.',
      empty: {
        title: 'Nothing to install yet',
        text: 'A version for you will appear on this page. Keep this link.',
      },
    },
    lists: {
      all: 'All versions',
      others: 'Other versions',
      older: 'Earlier versions',
    },
    subscriptionPanel: {
      title: 'Your participation',
      mailsTitle: 'Mails about new versions',
      invited: 'You are invited to test this app.',
      declined: 'You no longer test this app and get no mails about it.',
      subscribed: (channel: string) => `You get a mail about every new version in “${channel}”.`,
      unsubscribed: (channel: string) => `You get no mails about new versions in “${channel}”.`,
      decline: 'I do not want to test this app',
      rejoin: 'I want to test this app again',
      subscribe: 'Send me mails about new versions',
      unsubscribe: 'Stop these mails',
      platforms: {
        legend: 'Mails about versions for',
        hint: 'None ticked means all.',
        submit: 'Save this choice',
      },
      used: 'You already used this link for a change. To make another change, use the link in your next mail.',
      personal: 'This link is personal. Do not share it.',
    },
    inApp: {
      title: (browser: string) => `Open this page in ${browser}`,
      named: (app: string) => `The browser inside ${app} cannot install apps. Copy the link and open it there.`,
      unnamed: 'The browser built into this app cannot install apps. Copy the link and open it there.',
      safari: 'Safari',
      chrome: 'Chrome',
    },
    blocked: {
      title: 'This version cannot be installed from here',
    },
    /** Why the device that opened the page will refuse the app. */
    refusals: {
      iosTooOld: {
        title: (version: string) => `This version needs iOS ${version} or later`,
        text: (present: string) =>
          `Your device has iOS ${present}, and will not install it. Open Settings › General › Software Update. If no update is offered, ask for a version for iOS ${present}.`,
      },
      ipadOnly: {
        title: 'This version is for iPad',
        text: 'An iPhone will not install it. Open this page on an iPad.',
      },
      ...android.refusals,
    },
    /** What to do beside the button. */
    next: {
      trust: 'After the first installation',
      developerMode: 'Before you open the app for the first time',
      ...android.next,
    },
    insecure: {
      title: 'Installing needs a secure address',
      text: 'iOS installs apps only from an address that starts with https://, and this service uses plain http. The operator of the service must set INSTALL_BASE_URL to an https address.',
    },
    localOnly:
      'This address works only on this computer. To install on a phone, set INSTALL_BASE_URL to an address the phone can reach (https for iOS).',
    progress: {
      started: 'Confirm the installation on your device, then watch the app’s icon on the Home Screen.',
      stuck: 'Nothing happening? The usual reasons are listed below.',
    },
    warnings: { ...android.warnings, ...warnings },
    /** The text of `signature_broken` when only these devices, which use an older signature, reject the app. */
    signatureBrokenFor: android.signatureBrokenFor,
    warningsTitle: 'Good to know',
    notesTitle: 'What to test',
    /** Whom a version comes from. */
    trust: {
      line: (organization: string) => `${organization} sends you this app`,
      organization: 'Organization',
      promoted: 'Released',
      uploaded: 'Uploaded',
      by: (time: string, person: string) => `${time}, by ${person}`,
      signer: 'Signed by',
      checksum: 'Checksum (SHA-256)',
    },
    factsTitle: 'Details',
    facts: {
      uploaded: 'Uploaded',
      requires: 'Requires',
      orLater: (system: string, version: string) => `${system} ${version} or later`,
      expires: 'Works until',
      identifier: 'Identifier',
    },
    help: {
      title: 'Help',
      unable: {
        title: 'Unable to install?',
        lead: 'iOS shows the same message for many causes. Check them in this order:',
        notRegistered:
          'Your device is not registered with the developer. Ask the person who sent you this link to register it and to send a new version.',
        signature: 'The app’s signature is wrong or has expired. The developer has to sign and upload it again.',
        tooOld: 'The version of iOS on your device is older than the app requires.',
        tooOldKnown: (version: string) => `The version of iOS on your device is older than ${version}.`,
        storage: 'Your device does not have enough free space.',
        cellular: 'The app is too large for your mobile network’s limit. Use Wi-Fi.',
        broken: 'The download was interrupted. Delete the grey icon, if there is one, and install again.',
      },
      trust: {
        title: '“Untrusted Enterprise Developer”?',
        lead: 'An app for use inside an organization has to be trusted once per developer:',
        steps: [
          'Open Settings › General › VPN & Device Management.',
          'Tap the developer’s name under Enterprise App, then Trust.',
          'On iOS 18 and later, allow the restart: it completes the step.',
        ],
      },
      developerMode: {
        title: '“Developer Mode required”?',
        lead: 'Since iOS 16, test versions signed for registered devices may need it:',
        steps: [
          'Open Settings › Privacy & Security › Developer Mode and switch it on.',
          'Restart when asked, unlock the device and confirm.',
          'Open the app again. The switch appears only after you have installed a test version.',
        ],
      },
      ...android.help,
    },
  },
};

export type Messages = typeof en;
