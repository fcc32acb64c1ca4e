import { type Words } from '../words';

export const project: Words['project'] = {
  firstBuild: {
    heading: 'Ersten Build hochladen',
    text: 'Name, Version, Icon und Signatur werden aus der Datei gelesen. Tester bekommen sofort einen Installationslink.',
    ci: 'Oder aus Ihrer CI hochladen',
    ciReady: 'Die nächsten Builds aus Ihrer CI hochladen',
  },
  snippet: {
    system: 'CI-System',
    code: 'Codeabschnitt',
    copy: 'Codeabschnitt kopieren',
    makesToken:
      'Beim Kopieren entsteht ein Token, das nur Builds in dieses Projekt hochladen darf. Es steht dann im Codeabschnitt.',
    hasToken: (name) =>
      `Der kopierte Codeabschnitt enthält das neue Token „${name}“. Legen Sie es als Geheimnis Ihrer CI ab, nicht im Repository.`,
    showToken: 'Token anzeigen',
    secret: {
      title: 'Kopieren Sie jetzt Ihr Token',
      text: 'Es wird nicht noch einmal angezeigt.',
      label: 'Token',
      copy: 'Token kopieren',
      kept: 'Ich habe es aufbewahrt',
      done: 'Fertig',
      reason: 'Kopieren Sie zuerst das Token, oder bestätigen Sie, dass Sie es aufbewahrt haben',
    },
  },
  latestOf: (platform) => `Neuester Build für ${platform}`,
  lastActivity: 'Letzte Aktivität',
  releasedTo: 'in',
  qr: (platform) => `QR-Code des Installationslinks für ${platform}`,
  copyLink: 'Installationslink kopieren',
  notInstallable: 'nicht installierbar',
  channels: 'Kanäle',
  allChannels: 'Alle Kanäle',
  noChannels:
    'Noch keine Kanäle. Tester abonnieren einen Kanal und bekommen eine Mail, wenn Sie darin einen Build freigeben.',
  nothingCurrent: 'Noch nichts freigegeben.',
  subscribers: { one: '# Tester', other: '# Tester' },
  moreChannels: { one: '# weiterer Kanal', other: '# weitere Kanäle' },
  downloads: 'Downloads',
  downloadsByDay: 'Downloads pro Tag',
  noDownloads: 'In den letzten 14 Tagen hat niemand einen Build installiert.',
  total: { one: '# Download', other: '# Downloads' },
  byTesters: { one: 'von # Tester', other: 'von # Testern' },
  lastDays: 'in den letzten 14 Tagen',
  releases: 'Letzte Veröffentlichungen',
  noReleases: 'Es wurde noch kein Build freigegeben.',
  current: 'aktuell',
  by: (label) => `von ${label}`,
  builds: { one: '# Build', other: '# Builds' },
  testers: { one: '# Tester', other: '# Tester' },
};
