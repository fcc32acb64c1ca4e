import { type Words } from '../words';

export const updates: Words['updates'] = {
  heading: 'In-App-Updates',
  ofChannel: 'Mit einem Update-Schlüssel finden installierte Apps den Build, der in diesem Kanal aktuell ist.',
  ofProject:
    'Mit einem Update-Schlüssel finden installierte Apps den neuesten Build des Projekts. Kanäle haben eigene Schlüssel.',
  keys: 'Update-Schlüssel',
  none: 'Noch keine Update-Schlüssel.',
  newKey: 'Neuer Update-Schlüssel',
  platform: 'Plattform der App',
  create: 'Update-Schlüssel anlegen',
  complete: 'Jede Plattform hat einen Update-Schlüssel',
  address: (platform) => `Update-Adresse für ${platform}`,
  copyAddress: (platform) => `${platform}-Adresse kopieren`,
  hidden: 'Die Adresse sehen nur Mitglieder, die Builds herunterladen dürfen',
  lastUsed: 'zuletzt benutzt',
  notUsed: 'noch nicht benutzt',
  code: {
    open: (platform) => `Code für ${platform}`,
    framework: 'Framework',
    snippet: 'Codebeispiel',
    copy: 'Codebeispiel kopieren',
    isPublic: 'Der Schlüssel muss nicht geheim sein: Er öffnet nur den aktuellen Build.',
    noStore:
      'Lassen Sie diesen Code aus Builds für App-Stores weg. Diese lehnen Apps ab, die sich selbst aktualisieren.',
    signature: 'Speichern Sie die Signatur jedes Builds auf dessen Seite, bevor Sie ihn freigeben.',
  },
  actions: (platform) => `Aktionen für den ${platform}-Schlüssel`,
  rotate: {
    label: 'Schlüssel ersetzen',
    title: (platform) => `Den ${platform}-Schlüssel ersetzen?`,
    text: 'Der Schlüssel erhält einen neuen Wert. Apps mit dem alten finden keine Updates mehr und müssen neu installiert werden.',
    done: (platform) => `Der ${platform}-Schlüssel hat einen neuen Wert.`,
  },
  revoke: {
    label: 'Schlüssel widerrufen',
    title: (platform) => `Den ${platform}-Schlüssel widerrufen?`,
    text: 'Apps mit diesem Schlüssel finden keine Updates mehr. Das kann nicht rückgängig gemacht werden.',
    done: (platform) => `Der ${platform}-Schlüssel wurde widerrufen.`,
  },
  supported: {
    heading: 'Niedrigste unterstützte Versionen',
    text: 'Apps mit einer niedrigeren Version müssen das Update installieren, das sie finden. Ein leeres Feld unterstützt jede Version.',
    version: (platform) => `${platform}-Version`,
    versionCode: 'Android-Versionscode',
    save: 'Versionen speichern',
    saved: 'Die Versionen wurden gespeichert.',
  },
  signature: {
    heading: 'Signatur für Updater',
    field: 'Update-Signatur',
    hint: 'Sparkle: die EdDSA-Signatur der Datei. Tauri: der Inhalt der .sig-Datei.',
    save: 'Signatur speichern',
    saved: 'Die Signatur wurde gespeichert.',
  },
};
