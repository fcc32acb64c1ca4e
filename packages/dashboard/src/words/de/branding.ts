import { type Words } from '../words';

export const branding: Words['branding'] = {
  heading: 'Erscheinungsbild',
  detail: 'Was Tester von Ihrer Organisation sehen, auf Installationsseiten und in Mails.',
  displayName: 'Name für Tester',
  displayNameHint: (name) => `Wenn leer: ${name}`,
  accent: 'Akzentfarbe',
  accentHint: 'Von Schaltflächen und Links. Das dunkle Design verwendet einen helleren Ton davon.',
  accentFormat: 'Schreiben Sie die Farbe wie #0057b8.',
  pick: 'Farbe auswählen',
  contrast: {
    low: (contrast) =>
      `Kontrast ${contrast}: Tester könnten es nicht lesen. Wählen Sie eine dunklere Farbe, mit mindestens 4,5.`,
    enough: (contrast) => `Kontrast ${contrast}: lesbar.`,
  },
  contact: 'Kontakt',
  contactHint: 'Eine E-Mail-Adresse, die Adresse einer Seite oder ein anderer kurzer Text.',
  privacyUrl: 'Adresse der Datenschutzerklärung',
  save: 'Änderungen speichern',
  saved: 'Das Erscheinungsbild wurde gespeichert. Installationsseiten zeigen es jetzt, Mails ab der nächsten.',
  logo: {
    label: 'Logo',
    drop: 'Ziehen Sie ein PNG hierher, höchstens 64 KB',
    choose: 'PNG auswählen',
    replace: 'Anderes PNG auswählen',
    remove: 'Logo entfernen',
    chosen: 'Das gewählte Logo',
    problems: {
      type: 'Das ist kein lesbares PNG. Wählen Sie eine andere Datei.',
      size: 'Diese Datei hat mehr als 64 KB. Verkleinern Sie sie.',
      sides: 'Dieses Bild hat mehr als 2.048 Pixel pro Seite. Verkleinern Sie es.',
    },
  },
  preview: {
    heading: 'Vorschau',
    text: 'Eine Installationsseite auf einem Telefon, mit dem, was Sie tippen. Tester sehen es, wenn Sie speichern.',
    themes: { light: 'Helles Design', dark: 'Dunkles Design' },
    install: 'Installieren',
    trust: (name) => `${name} schickt Ihnen diese App`,
    link: 'Andere Builds',
    contact: (contact) => `Kontakt: ${contact}`,
    privacy: 'Datenschutz',
    footer: 'Verteilt mit Agate',
  },
};
