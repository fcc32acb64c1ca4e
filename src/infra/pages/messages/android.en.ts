/** The texts of install pages about Android devices, in English. */
export const android = {
  warnings: {
    app_bundle: 'This file is made for app stores, and devices cannot install it. Ask for an APK.',
    debuggable: 'It is a debug version: a person who holds your phone could read the app’s data.',
    v1_signature_only: 'It has an old kind of signature, which Android 11 and newer reject.',
    v1_signature_missing: 'It has no signature for Android 6 and older.',
    signature_broken: 'Its signature is not valid, so devices reject it. Ask for another file.',
    debug_certificate:
      'It is signed with a test key. You may have to uninstall this version before you can install a later one.',
    target_sdk_too_low:
      'It is made for old versions of Android, and newer ones refuse to install it. Ask for another version.',
    splits_missing: 'It is only a part of the app, so devices reject it. Ask for the whole app in one file.',
    resources_compressed: 'It is packed in a way that Android 11 and newer reject. Ask for another file.',
    resources_unaligned: 'It is packed in a way that Android 11 and newer reject. Ask for another file.',
    libraries_compressed:
      'It is packed in a way that devices reject: they say that the package is not valid. Ask for another file.',
    libraries_unaligned:
      'It is packed in a way that devices reject: they say that the package is not valid. Ask for another file.',
    exported_missing: 'It has a mistake for which Android 12 and newer reject it. Ask for another version.',
    preview_sdk: 'It is made for a preview of Android. Devices without this preview reject it.',
    only_32_bit_libraries:
      'It is made for older devices. Newer phones reject it: they say that the app is not compatible.',
    no_arm_libraries: 'It is made for emulators, so phones reject it. Ask for another version.',
    page_size_16_kib: 'Some new devices run it in a compatibility mode only, or not at all.',
    android_not_registered:
      'Its developer has not registered it with Google. In some countries Android refuses it, or asks you to wait a day.',
    android_other_certificate:
      'It is signed with another key than the one that its developer registered with Google. In some countries Android refuses it.',
    test_only: 'It is made for developers’ tools, so devices reject it. Ask for another version.',
  },
  signatureBrokenFor: {
    oldest:
      'Its signature is of a kind that old devices do not know, so they reject it. If yours does, ask for another file.',
    v1: 'Its signature for Android 6 and older is not valid, so these devices reject it. If yours is one of them, ask for another file.',
    v2: 'Its signature for Android 7 and 8 is not valid, so these devices reject it. If yours is one of them, ask for another file.',
    v3: 'Its signature for Android 9 to 12 is not valid, so these devices reject it. If yours is one of them, ask for another file.',
  },
  refusals: {
    androidTooOld: {
      title: (version: string) => `This version needs Android ${version} or later`,
      text: (present: string) =>
        `Your device has Android ${present}, and will say that the app is not compatible, or that there was a problem with the package. Open Settings › System › System update (on some devices Settings › Software update). If no update is offered, ask for a version for Android ${present}.`,
    },
    androidTooNew: {
      title: (present: string) => `Your Android ${present} will not install this version`,
    },
  },
  next: {
    unverified: 'If Android says that the developer is not verified',
    unverifiedSteps: [
      'Ask the person who sent you this link whether another version is registered. If so, install that one.',
      'Otherwise open Settings › About phone, and tap Build number seven times. Settings › System then has Developer options.',
      'Switch on the installation of apps of unverified developers there, confirm that nobody tells you to do it, and restart the device.',
      'Wait 24 hours, open Developer options again, and confirm.',
      'Open the downloaded file again.',
    ],
  },
  help: {
    unknownSources: {
      title: 'Not allowed to install unknown apps?',
      lead: 'Android asks once for each browser that may install apps:',
      fromAndroid8:
        'Android 8 and later: tap Settings in the message and switch on Allow from this source. Or open Settings › Apps › Special app access › Install unknown apps, choose your browser and allow it.',
      beforeAndroid8: 'Android 7 and earlier: open Settings › Security and switch on Unknown sources.',
      openAgain: 'Go back and open the downloaded file again.',
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
};

export type AndroidMessages = typeof android;
