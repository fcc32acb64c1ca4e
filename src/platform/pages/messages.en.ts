/**
 * Every word of the pages, in English. The type of this table is what another language has to fill: copy the file to
 * `messages.<tag>.ts`, translate, and name it in `messages.ts`. Plain text throughout; the templates escape it.
 */
export const en = {
  languageTag: 'en',
  brand: 'Agate',
  footer: 'Distributed with Agate',

  account: {
    verified: {
      title: 'Your e-mail address is verified',
      text: 'Thank you. You can close this page and log in.',
    },
    alreadyVerified: {
      title: 'Your e-mail address is already verified',
      text: 'This link has done its work before. There is nothing left to do: just log in.',
    },
    verifyLinkInvalid: {
      title: 'This verification link no longer works',
      text: 'It has expired, or a newer link has replaced it. Enter your e-mail address and we will send you a new one.',
      submit: 'Send a new link',
    },
    verifyLinkSent: {
      title: 'Look in your inbox',
      text: 'If this address belongs to an account that still has to be verified, a new link is on its way.',
    },
    resetPassword: {
      title: 'Choose a new password',
      text: 'At least 10 characters. A sentence you remember is better than a word with symbols. All other sessions will be logged out.',
      submit: 'Set the new password',
    },
    passwordRefused: (problem: string) => `This password ${problem}.`,
    resetDone: {
      title: 'Your new password is set',
      text: 'All sessions were logged out. Log in again with the new password.',
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
      title: 'Look in your inbox',
      text: 'If this address belongs to an account, a link to choose a new password is on its way.',
    },
    confirmNewEmail: {
      title: 'Confirm your new address',
      text: 'From then on you log in with it. All sessions will be logged out.',
      submit: 'Confirm the address',
    },
    emailChanged: {
      title: 'Your new address is confirmed',
      text: 'All sessions were logged out. Log in again with the new address.',
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
      text: (organization: string) => `You are a member of ${organization} now.`,
    },
    email: 'E-mail address',
    newPassword: 'New password',
  },

  captcha: {
    title: 'Proof that you are not a script',
    solving: 'Your browser is solving a small puzzle, to keep scripts away…',
    solved: 'The puzzle is solved.',
    failed:
      'Your browser could not solve the puzzle. It needs an address that starts with https://. Reload to try again.',
    noScript: 'This form is protected against scripts. Please switch on JavaScript to send it.',
    notNeeded: 'This service asks for no proof.',
  },

  errors: {
    requestId: (id: string) => `If you ask for help, quote this number: ${id}`,
    tryAgain: 'Try again',
    notFound: {
      title: 'This link does not work',
      text: 'It may have been mistyped, replaced or withdrawn. Ask whoever sent it to you for a new one.',
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
      text: 'There were too many requests from here in a short time.',
      wait: (seconds: number) =>
        seconds === 1 ? 'Wait one second, then try again.' : `Wait ${seconds} seconds, then try again.`,
    },
    rejected: {
      title: 'That did not work',
    },
    internal: {
      title: 'Something went wrong on our side',
      text: 'It is not your fault and we have a record of it. Please try again in a moment.',
    },
  },

  install: {
    pageTitle: (app: string, version: string) => `Install ${app} ${version}`,
    pageDescription: (project: string, system: string) => `A test version for ${system}, shared by ${project}.`,
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
      copyLink: 'Copy link',
      copied: 'Copied',
      linkToThisPage: 'Link to this page',
      thisIsAnIpad: 'I am on an iPad or iPhone',
      thisIsAnAndroid: 'I am on an Android device',
    },
    notes: {
      installIos: 'Your device asks you to confirm. The app then appears on your Home Screen.',
      downloadApk: 'Open the file when it has loaded. Your device may ask once whether this browser may install apps.',
      otherSystem: (system: string) => `This file is for ${system}.`,
    },
    scan: {
      title: (systems: string) => `Open this page on your ${systems}`,
      ios: 'iPhone or iPad',
      android: 'Android phone',
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
    insecure: {
      title: 'Installing needs a secure address',
      text: 'iOS installs apps only from an address that starts with https://, and this service is reached by plain http. Whoever runs it has to set INSTALL_BASE_URL to its https address.',
    },
    localOnly:
      'This address works on this computer only. To install on a phone, set INSTALL_BASE_URL to an address the phone can reach (https for iOS).',
    progress: {
      started: 'Confirm the question of your device, then watch the app’s icon on the Home Screen.',
      stuck: 'Nothing happening? The usual reasons are listed below.',
    },
    warningsTitle: 'Good to know',
    notesTitle: 'What to test',
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
        lead: 'iOS gives the same message for many causes. Check them in this order:',
        notRegistered:
          'Your device is not registered with the developer. Ask the person who sent you this link to add it and to send a new version.',
        signature: 'The app’s signature is wrong or has expired. The developer has to sign and upload it again.',
        tooOld: 'The version of iOS on your device is older than the app requires.',
        tooOldKnown: (version: string) => `The version of iOS on your device is older than ${version}.`,
        storage: 'Your device has too little free space.',
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
          'Open the app again. The switch appears only after a test version was installed.',
        ],
      },
      unknownSources: {
        title: 'Not allowed to install unknown apps?',
        lead: 'Android asks once for each browser that may install apps:',
        steps: [
          'Android 8 and later: tap Settings in the message and allow this source. Or open Settings › Apps › Special app access › Install unknown apps, choose your browser and allow it.',
          'Android 7 and earlier: open Settings › Security and switch on Unknown sources.',
          'Go back and open the downloaded file again.',
        ],
      },
      apkFails: {
        title: '“App not installed”?',
        lead: 'The usual causes:',
        reasons: [
          'A version of the app signed with another key, or a newer one, is installed. Uninstall it first; its data is lost.',
          'The download was interrupted. Delete the file and download it again.',
          'Your Android version is older than the app requires, or the app was not made for your device’s processor.',
          'Play Protect wants to scan the app. Let it, then continue.',
          'In some countries Android installs only apps of verified developers. Ask the person who sent you this link.',
        ],
      },
    },
  },
};

export type Messages = typeof en;
