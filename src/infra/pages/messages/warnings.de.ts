import { type warnings as english } from './warnings.en';

export const warnings: Record<keyof typeof english, string> = {
  tvos: 'Dies ist eine App für Apple TV. Sie lässt sich nicht über einen Link installieren.',
  watchos:
    'Dies ist eine App für die Apple Watch. Sie kommt mit ihrer iPhone-App und lässt sich nicht allein installieren.',
  visionos: 'Auf der Apple Vision Pro funktioniert die Installation über einen Link vielleicht nicht.',
  simulator:
    'Sie ist für den Simulator auf einem Mac gemacht und läuft auf keinem Gerät. Bitten Sie um eine Version für Geräte.',
  app_store_signed:
    'Sie ist für den App Store signiert, und eine solche Version lässt sich nicht über einen Link installieren. Bitten Sie um eine Version, die zum Testen signiert ist.',
  unsigned: 'Sie ist nicht signiert, deshalb installiert kein Gerät sie. Bitten Sie um eine signierte Version.',
  profile_unreadable:
    'Es ist nicht bekannt, welche Geräte diese Version installieren dürfen. Wenn Ihr Gerät sie ablehnt, fragen Sie die Person, von der Sie den Link haben.',
  no_devices: 'Sie ist für kein Gerät signiert. Bitten Sie um eine Version, die Ihr Gerät einschließt.',
  profile_expired: 'Die Erlaubnis, diese Version zu installieren, ist abgelaufen. Bitten Sie um eine neuere Version.',
  certificate_expired: 'Die Signatur dieser Version ist abgelaufen. Bitten Sie um eine neuere Version.',
  profile_expires_soon:
    'Die Erlaubnis, diese Version zu installieren, läuft bald ab. Danach startet die App nicht mehr. Bitten Sie rechtzeitig um eine neuere Version.',
  certificate_expires_soon:
    'Die Signatur dieser Version läuft bald ab. Danach startet die App nicht mehr. Bitten Sie rechtzeitig um eine neuere Version.',
  profile_for_other_app: 'Sie ist für eine andere App signiert, deshalb lehnt Ihr Gerät sie vielleicht ab.',
  code_signature_broken:
    'Sie wurde nach dem Signieren verändert, deshalb melden Geräte, dass die Integrität nicht überprüft werden konnte. Bitten Sie um eine andere Datei.',
  app_store_encrypted:
    'Sie stammt aus dem App Store, und eine solche Version lässt sich nicht über einen Link installieren. Bitten Sie um eine Version, die zum Testen signiert ist.',
  architecture_unsupported:
    'Sie ist für andere Prozessoren gemacht als die heutiger Geräte. Bitten Sie um eine andere Version.',
  certificate_not_in_profile:
    'Sie ist mit dem falschen Zertifikat signiert, deshalb lehnen Geräte sie ab. Bitten Sie um eine andere Datei.',
  entitlement_not_granted:
    'Sie verlangt eine Berechtigung, die sie nicht hat, deshalb lehnt Ihr Gerät sie vielleicht ab. Bitten Sie dann um eine andere Datei.',
  file_not_signed:
    'Sie enthält eine Datei, die nach dem Signieren hinzukam, deshalb lehnt Ihr Gerät sie vielleicht ab. Bitten Sie dann um eine andere Datei.',
  nested_bundle_id:
    'Ein Teil von ihr gehört nicht zur App, deshalb lehnen Geräte sie ab. Bitten Sie um eine andere Datei.',
  nested_profile_missing:
    'Ein Teil von ihr ist nicht vollständig signiert, deshalb lehnt Ihr Gerät sie vielleicht ab. Bitten Sie dann um eine andere Datei.',
  nested_app_store_signed:
    'Ein Teil von ihr ist für den App Store signiert, deshalb lehnen Geräte sie ab. Bitten Sie um eine Version, die zum Testen signiert ist.',
  nested_devices_differ:
    'Ein Teil von ihr ist für andere Geräte signiert, deshalb lehnt Ihr Gerät sie vielleicht ab. Bitten Sie dann um eine Version, die Ihr Gerät einschließt.',
  nested_profile_expired:
    'Die Erlaubnis, einen Teil von ihr zu installieren, ist abgelaufen. Bitten Sie um eine neuere Version.',
  nested_profile_expires_soon:
    'Die Erlaubnis, einen Teil von ihr zu installieren, läuft bald ab. Bitten Sie rechtzeitig um eine neuere Version.',
  nested_certificate_expired: 'Die Signatur eines Teils von ihr ist abgelaufen. Bitten Sie um eine neuere Version.',
  nested_certificate_expires_soon:
    'Die Signatur eines Teils von ihr läuft bald ab. Bitten Sie rechtzeitig um eine neuere Version.',
  dsym_archive: 'Diese Datei hilft Entwicklern bei der Fehlersuche. Sie ist keine App: Bitten Sie um die App selbst.',
  mapping_archive:
    'Diese Datei hilft Entwicklern bei der Fehlersuche. Sie ist keine App: Bitten Sie um die App selbst.',
  version_not_semantic:
    'Vielleicht aktualisiert sie sich nicht selbst, weil ihre Versionsnummer eine ungewöhnliche Form hat.',
  duplicate_of: 'Dieselbe Datei wurde schon einmal als andere Version geteilt.',
  version_not_higher:
    'Ihre Versionsnummer ist nicht höher als die der vorigen. Wenn Ihr Gerät sie als Aktualisierung ablehnt, deinstallieren Sie zuerst die installierte Version; deren Daten gehen dabei verloren.',
  certificate_changed:
    'Sie ist mit einem anderen Schlüssel signiert als die vorige Version. Deinstallieren Sie zuerst diese; deren Daten gehen dabei verloren.',
};
