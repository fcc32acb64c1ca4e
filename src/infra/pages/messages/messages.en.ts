/**
 * Every word of the pages, in English. The type of this table is what another language has to fill: copy the file to
 * `messages.<tag>.ts`, translate, and name it in `messages.ts`. Plain text throughout; the templates escape it.
 */
export const en = {
  languageTag: 'en',
  /** The language's own name for itself, in the link that changes to it. */
  languageName: 'English',
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
    passwordRefused: {
      malformed: 'This password has characters that cannot be stored.',
      too_short: 'This password is too short: it must have 10 characters or more.',
      too_long: 'This password is too long: it must have 256 characters or fewer.',
      too_common: 'This password is one of the commonest passwords. Choose another.',
    },
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
      text: 'The service did not accept this. Check what you entered, and try again.',
    },
    unauthorized: {
      title: 'Log in first',
      text: 'This takes an account. Log in with this browser, then open the link again.',
    },
    unverified: {
      title: 'Confirm your e-mail address first',
      text: 'Open the link in the mail that you got when you signed up. Then come back here.',
    },
    alreadyDone: {
      title: 'This is done already',
      text: 'There is nothing left for you to do here.',
    },
    notHere: {
      title: 'This cannot be done from here',
      text: 'Open the link again from the message that you got, and start there.',
    },
    internal: {
      title: 'Something went wrong on our side',
      text: 'It is not your fault and we have a record of it. Please try again in a moment.',
    },
  },

  testing: {
    unsubscribe: {
      title: (name: string) => `Unsubscribe from ${name}?`,
      text: 'You will get no more mails about new versions. The links that you have go on working.',
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
      text: 'You will get no more mails about it.',
    },
    declined: {
      title: (name: string) => `You no longer test ${name}`,
      text: 'You will get no more mails about it.',
    },
    undo: { text: 'If that was a mistake, you can undo it here.', submit: 'Undo' },
    alreadyDone: {
      title: 'This is done already',
      text: 'The link has done its work before; nothing was changed. Each mail has a fresh one.',
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
      pageDescription: (project: string) => `Test versions, shared by ${project}.`,
      nothingFor: (system: string) => `There is no version for ${system} here`,
      othersBelow: 'What there is for other devices is listed below.',
      empty: {
        title: 'Nothing to install yet',
        text: 'As soon as there is a version for you, it is here. Keep this link.',
      },
    },
    lists: {
      all: 'All versions',
      others: 'Other versions',
      older: 'Earlier versions',
    },
    participation: {
      title: 'Taking part',
      mailsTitle: 'Mails about new versions',
      takesPart: 'You are invited to test this app.',
      declined: 'You have left the testing of this app and get no more mails about it.',
      subscribed: (channel: string) => `You get a mail about every new version in “${channel}”.`,
      unsubscribed: (channel: string) => `You get no mails about new versions in “${channel}”.`,
      decline: 'I do not want to test this app',
      rejoin: 'I want to test this app again',
      subscribe: 'Tell me about new versions',
      unsubscribe: 'No more mails',
      spent: 'This link has made its one change already. The next mail brings another.',
      personal: 'This link is yours alone. Do not pass it on.',
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
    /** What a warning of a build means to whoever installs it, by its code. */
    warnings: {
      tvos: 'This is an app for Apple TV. It cannot be installed from a link.',
      watchos: 'This is an app for Apple Watch. It comes with its iPhone app and cannot be installed alone.',
      visionos: 'Installing from a link may not work on Apple Vision Pro.',
      simulator: 'It was made for the simulator on a Mac and cannot run on a device. Ask for a version for devices.',
      app_store_signed:
        'It is signed for the App Store, and such a version cannot be installed from a link. Ask for one that is signed for testing.',
      unsigned: 'It is not signed, so no device will install it. Ask for a signed version.',
      profile_unreadable:
        'It is not known which devices may install this version. If yours refuses it, ask the person who sent you the link.',
      no_devices: 'It is signed for no device at all. Ask for a version that includes yours.',
      profile_expired: 'The permission to install this version has run out. Ask for a newer one.',
      certificate_expired: 'The signature of this version has run out. Ask for a newer one.',
      profile_expires_soon:
        'The permission to install this version runs out soon. The app stops starting then; ask for a newer version in time.',
      certificate_expires_soon:
        'The signature of this version runs out soon. The app stops starting then; ask for a newer version in time.',
      profile_for_other_app: 'It is signed for another app, so your device may refuse it.',
      app_bundle: 'This file is made for app stores, and devices cannot install it. Ask for an APK.',
      debuggable: 'It is made for finding faults: whoever holds your phone could read the app’s data.',
      v1_signature_only: 'It has a signature of an old kind, which Android 11 and newer refuse.',
      debug_certificate:
        'It is signed with a key for trying things out. Before a later version you may have to uninstall this one.',
      target_sdk_too_low: 'It is made for old versions of Android. Android 14 and newer refuse to install it.',
      test_only: 'It is made for developers’ tools, so devices refuse it. Ask for another version.',
      duplicate_of: 'The same file was shared before as another version.',
      version_not_higher:
        'Its version is not higher than the one before. If your device refuses it as an update, uninstall the other first; its data is lost.',
      certificate_changed:
        'It is signed with another key than the version before. Uninstall that one first; its data is lost.',
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
