import { type AndroidMessages } from './android.en';

/** The texts of install pages about Android devices, in German. */
export const android: AndroidMessages = {
  warnings: {
    app_bundle:
      'Diese Datei ist für App-Stores gemacht, und Geräte können sie nicht installieren. Bitten Sie um eine APK-Datei.',
    debuggable: 'Sie ist zur Fehlersuche gemacht: Wer Ihr Telefon in der Hand hat, könnte die Daten der App lesen.',
    v1_signature_only: 'Sie hat eine veraltete Art von Signatur, die Android 11 und neuer ablehnen.',
    v1_signature_missing: 'Sie hat keine Signatur für Android 6 und älter.',
    signature_broken: 'Ihre Signatur ist nicht gültig, deshalb lehnen Geräte sie ab. Bitten Sie um eine andere Datei.',
    debug_certificate:
      'Sie ist mit einem Testschlüssel signiert. Vielleicht müssen Sie diese Version deinstallieren, bevor Sie eine spätere installieren können.',
    target_sdk_too_low:
      'Sie ist für alte Android-Versionen gemacht, und neuere installieren sie nicht. Bitten Sie um eine andere Version.',
    splits_missing:
      'Sie ist nur ein Teil der App, deshalb lehnen Geräte sie ab. Bitten Sie um die ganze App in einer Datei.',
    resources_compressed:
      'Sie ist so gepackt, dass Android 11 und neuer sie ablehnen. Bitten Sie um eine andere Datei.',
    resources_unaligned: 'Sie ist so gepackt, dass Android 11 und neuer sie ablehnen. Bitten Sie um eine andere Datei.',
    libraries_compressed:
      'Sie ist so gepackt, dass Geräte sie ablehnen: Sie melden, dass das Paket ungültig ist. Bitten Sie um eine andere Datei.',
    libraries_unaligned:
      'Sie ist so gepackt, dass Geräte sie ablehnen: Sie melden, dass das Paket ungültig ist. Bitten Sie um eine andere Datei.',
    exported_missing:
      'Sie hat einen Fehler, wegen dem Android 12 und neuer sie ablehnen. Bitten Sie um eine andere Version.',
    preview_sdk: 'Sie ist für eine Vorschau von Android gemacht. Geräte ohne diese Vorschau lehnen sie ab.',
    only_32_bit_libraries:
      'Sie ist für ältere Geräte gemacht. Neuere Telefone lehnen sie ab: Sie melden, dass die App nicht kompatibel ist.',
    no_arm_libraries:
      'Sie ist für Emulatoren gemacht, deshalb lehnen Telefone sie ab. Bitten Sie um eine andere Version.',
    page_size_16_kib: 'Einige neue Geräte führen sie nur in einem Kompatibilitätsmodus aus oder gar nicht.',
    android_not_registered:
      'Die Entwickler haben sie nicht bei Google registriert. In manchen Ländern lehnt Android sie ab, oder Sie müssen einen Tag warten.',
    android_other_certificate:
      'Sie ist mit einem anderen Schlüssel signiert als dem, den die Entwickler bei Google registriert haben. In manchen Ländern lehnt Android sie ab.',
    test_only:
      'Sie ist für Entwicklerwerkzeuge gemacht, deshalb lehnen Geräte sie ab. Bitten Sie um eine andere Version.',
  },
  signatureBrokenFor: {
    oldest:
      'Ihre Signatur ist von einer Art, die alte Geräte nicht kennen, deshalb lehnen sie diese Version ab. Wenn Ihres sie ablehnt, bitten Sie um eine andere Datei.',
    v1: 'Ihre Signatur für Android 6 und älter ist nicht gültig, deshalb lehnen diese Geräte sie ab. Wenn Ihres dazugehört, bitten Sie um eine andere Datei.',
    v2: 'Ihre Signatur für Android 7 und 8 ist nicht gültig, deshalb lehnen diese Geräte sie ab. Wenn Ihres dazugehört, bitten Sie um eine andere Datei.',
    v3: 'Ihre Signatur für Android 9 bis 12 ist nicht gültig, deshalb lehnen diese Geräte sie ab. Wenn Ihres dazugehört, bitten Sie um eine andere Datei.',
  },
  refusals: {
    androidTooOld: {
      title: (version) => `Diese Version braucht Android ${version} oder neuer`,
      text: (present) =>
        `Ihr Gerät hat Android ${present} und wird melden, dass die App nicht kompatibel ist oder dass es ein Problem mit dem Paket gab. Öffnen Sie Einstellungen › System › Systemupdate (auf manchen Geräten Einstellungen › Softwareupdate). Wenn dort kein Update angeboten wird, bitten Sie um eine Version für Android ${present}.`,
    },
    androidTooNew: {
      title: (present) => `Ihr Android ${present} installiert diese Version nicht`,
    },
  },
  next: {
    unverified: 'Wenn Android meldet, dass der Entwickler nicht überprüft ist',
    unverifiedSteps: [
      'Fragen Sie die Person, von der Sie diesen Link haben, ob eine andere Version registriert ist. Installieren Sie dann diese.',
      'Sonst öffnen Sie Einstellungen › Über das Telefon und tippen siebenmal auf „Build-Nummer“. Unter Einstellungen › System stehen dann die Entwickleroptionen.',
      'Erlauben Sie dort die Installation von Apps nicht überprüfter Entwickler, bestätigen Sie, dass niemand Sie dazu auffordert, und starten Sie das Gerät neu.',
      'Warten Sie 24 Stunden, öffnen Sie die Entwickleroptionen noch einmal und bestätigen Sie.',
      'Öffnen Sie die heruntergeladene Datei noch einmal.',
    ],
  },
  help: {
    unknownSources: {
      title: 'Unbekannte Apps nicht erlaubt?',
      lead: 'Android fragt für jeden Browser einmal, ob er Apps installieren darf:',
      fromAndroid8:
        'Android 8 und neuer: Tippen Sie in der Meldung auf „Einstellungen“ und schalten Sie „Dieser Quelle vertrauen“ ein. Oder öffnen Sie Einstellungen › Apps › Spezieller App-Zugriff › Unbekannte Apps installieren, wählen Sie Ihren Browser und erlauben Sie es.',
      beforeAndroid8:
        'Android 7 und älter: Öffnen Sie Einstellungen › Sicherheit und schalten Sie „Unbekannte Herkunft“ ein.',
      openAgain: 'Gehen Sie zurück und öffnen Sie die heruntergeladene Datei noch einmal.',
    },
    apkFails: {
      title: '„App nicht installiert“?',
      lead: 'Die üblichen Gründe:',
      reasons: [
        'Eine Version der App mit anderem Schlüssel oder eine neuere ist installiert. Deinstallieren Sie sie zuerst; ihre Daten gehen dabei verloren.',
        'Der Download wurde unterbrochen. Löschen Sie die Datei und laden Sie sie noch einmal herunter.',
        'Ihre Android-Version ist älter, als die App verlangt, oder die App ist nicht für den Prozessor Ihres Geräts gemacht.',
        'Play Protect möchte die App prüfen. Lassen Sie es zu und machen Sie dann weiter.',
        'In manchen Ländern installiert Android nur Apps geprüfter Entwickler. Fragen Sie die Person, von der Sie diesen Link haben.',
      ],
    },
  },
};
