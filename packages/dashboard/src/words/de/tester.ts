import { type Words } from '../words';

export const tester: Words['tester'] = {
  progress: 'Fortschritt',
  added: 'Hinzugefügt',
  mailed: 'Letzte Mail',
  opened: 'Zuerst geöffnet',
  lastDownload: 'Letzter Download',
  notYet: 'noch nicht',
  channels: 'Kanäle',
  downloads: 'Downloads',
  columns: { build: 'Build', device: 'Gerät', channel: 'Kanal', time: 'Zeit', sent: 'Gesendet', state: 'Stand' },
  complete: 'vollständig',
  incomplete: 'nicht vollständig',
  noChannel: 'kein Kanal',
  noDownloads: 'Noch kein Download',
  noDownloadsText: 'Ein Download zählt, sobald er über einen Link dieses Testers beginnt.',
  count: { one: '# Download', other: '# Downloads' },
  bounced: (code) => `Diese Adresse ist nicht erreichbar (${code})`,
  bouncedText:
    'Der Mailserver meldet sie als ungültig, daher gehen keine Mails an sie. Prüfen Sie die Schreibweise: Um die Adresse zu berichtigen, löschen Sie den Tester und fügen ihn neu hinzu. Eine Einladung versucht es noch einmal.',
  left: 'Dieser Tester hat das Projekt verlassen',
  leftText:
    'Er erhält keine Mails und wird nicht zurückgeholt. Nur er selbst kann zurückkommen, über einen Link, den er per Mail erhalten hat.',
};
