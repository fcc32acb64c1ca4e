/** The warnings of a build, worded for testers, keyed by code. A part of the English messages. */
export const warnings = {
  tvos: 'This is an app for Apple TV. It cannot be installed from a link.',
  watchos: 'This is an app for Apple Watch. It comes with its iPhone app and cannot be installed alone.',
  visionos: 'Installing from a link may not work on Apple Vision Pro.',
  simulator: 'It was made for the simulator on a Mac and cannot run on a device. Ask for a version for devices.',
  app_store_signed:
    'It is signed for the App Store, and such a version cannot be installed from a link. Ask for one that is signed for testing.',
  unsigned: 'It is not signed, so no device will install it. Ask for a signed version.',
  profile_unreadable:
    'It is not known which devices may install this version. If your device rejects it, ask the person who sent you the link.',
  no_devices: 'It is not signed for any device. Ask for a version that includes yours.',
  profile_expired: 'The permission to install this version has expired. Ask for a newer version.',
  certificate_expired: 'The signature of this version has expired. Ask for a newer version.',
  profile_expires_soon:
    'The permission to install this version expires soon. The app will not start after that. Ask for a newer version in time.',
  certificate_expires_soon:
    'The signature of this version expires soon. The app will not start after that. Ask for a newer version in time.',
  profile_for_other_app: 'It is signed for another app, so your device may reject it.',
  code_signature_broken:
    'It was changed after it was signed, so devices say that its integrity could not be verified. Ask for another file.',
  app_store_encrypted:
    'It comes from the App Store, and such a version cannot be installed from a link. Ask for one that is signed for testing.',
  architecture_unsupported: 'It is made for other processors than those of current devices. Ask for another version.',
  certificate_not_in_profile: 'It is signed with the wrong certificate, so devices reject it. Ask for another file.',
  entitlement_not_granted:
    'It claims a permission that it was not granted, so your device may reject it. If it does, ask for another file.',
  file_not_signed:
    'It contains a file that was added after signing, so your device may reject it. If it does, ask for another file.',
  nested_bundle_id: 'A part of it does not belong to the app, so devices reject it. Ask for another file.',
  nested_profile_missing:
    'A part of it is not signed completely, so your device may reject it. If it does, ask for another file.',
  nested_app_store_signed:
    'A part of it is signed for the App Store, so devices reject it. Ask for a version that is signed for testing.',
  nested_devices_differ:
    'A part of it is signed for other devices, so your device may reject it. If it does, ask for a version that includes yours.',
  nested_profile_expired: 'The permission to install a part of it has expired. Ask for a newer version.',
  nested_profile_expires_soon: 'The permission to install a part of it expires soon. Ask for a newer version in time.',
  nested_certificate_expired: 'The signature of a part of it has expired. Ask for a newer version.',
  nested_certificate_expires_soon: 'The signature of a part of it expires soon. Ask for a newer version in time.',
  dsym_archive: 'This file helps developers to find errors. It is not an app: ask for the app itself.',
  mapping_archive: 'This file helps developers to find errors. It is not an app: ask for the app itself.',
  version_not_semantic: 'It may not update itself, because its version number has an unusual form.',
  duplicate_of: 'The same file was shared before as another version.',
  version_not_higher:
    'Its version is not higher than the previous one. If your device rejects it as an update, uninstall the installed version first; its data is lost.',
  certificate_changed:
    'It is signed with another key than the previous version. Uninstall that version first; its data is lost.',
};
