import { type devicesEn } from './devices.en';

/** The texts of the pages that register a device, in German. */
export const devicesDe: typeof devicesEn = {
  title: 'iPhone oder iPad registrieren',
  why: 'Manche Testversionen laufen nur auf Geräten, die bei Apple registriert sind. Registrieren Sie Ihres einmal, dann kann die nächste Version es enthalten.',
  sent: {
    title: 'Was Ihr Gerät sendet',
    items: ['seine Gerätekennung (UDID)', 'sein Modell, etwa iPhone 14 Pro', 'die Version seines Systems'],
    use: (project) =>
      `Das Team von ${project} registriert Ihr Gerät mit der Kennung bei Apple. Sie wird verschlüsselt gespeichert und mit Ihren Daten gelöscht.`,
  },
  agree: 'Ich bin einverstanden: Profil laden',
  steps: [
    'Tippen Sie auf „Zulassen“, wenn Ihr Gerät nach dem Profil fragt.',
    'Öffnen Sie die Einstellungen, tippen Sie oben auf „Profil geladen“ und dann auf „Installieren“. Das Profil sendet nur die Daten oben und verschwindet.',
    'Danach öffnet sich Ihr Browser wieder und zeigt das Ergebnis.',
  ],
  refused:
    'Im Blockierungsmodus und auf Geräten, die eine Firma oder Schule verwaltet, können Profile abgelehnt werden.',
  wrongBrowser: 'Nur Safari kann das Profil laden. Kopieren Sie die Adresse dieser Seite und öffnen Sie sie in Safari.',
  unnamed: 'Ihr Gerät',
  own: { title: 'Ihre Geräte', name: 'Name des Geräts', rename: 'Name speichern', remove: 'Dieses Gerät entfernen' },
  back: 'Zurück zur App',
  profile: {
    name: (project) => `Bei ${project} registrieren`,
    description: (project) =>
      `Sendet Kennung, Modell und Systemversion dieses Geräts an das Team von ${project}. Ändert nichts und wird sofort entfernt.`,
  },
  included: {
    title: 'Ihr Gerät ist dabei',
    text: (device, project, version) =>
      `${device} steht im Profil von ${project} ${version}: Sie können die Version installieren.`,
  },
  missing: {
    title: 'Ihr Gerät ist registriert',
    text: (device, project) =>
      `Noch enthält keine Version von ${project} das Gerät ${device}. Das Team sieht es in seiner Liste.`,
    mailed: (project) => `Sie bekommen eine E-Mail, sobald eine Version von ${project} es enthält.`,
    anonymous: 'Fragen Sie die Person, von der Sie den Link haben, nach der nächsten Version.',
  },
  answer: {
    check: 'Dieses Gerät prüfen',
    unknown: {
      title: 'Lässt sie sich auf diesem Gerät installieren?',
      text: 'Diese Version läuft nur auf Geräten, die das Team registriert hat. Prüfen Sie, ob Ihres dazugehört.',
    },
    included: {
      title: 'Dieses Gerät ist dabei',
      text: (version) => `Es steht im Profil der Version ${version}.`,
    },
    missing: {
      title: 'Diese Version enthält dieses Gerät noch nicht',
      mailed: 'Ihr Gerät ist registriert. Sie bekommen eine E-Mail, wenn eine Version es enthält.',
      anonymous:
        'Ihr Gerät ist registriert. Fragen Sie die Person, von der Sie den Link haben, nach der nächsten Version.',
    },
  },
};
