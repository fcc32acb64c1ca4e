import { type differences as englishDifferences } from '../en/promotion';
import { type Words } from '../words';

export const promotion: Words['promotion'] = {
  promote: 'Freigeben',
  title: (version) => `${version} freigeben`,
  channel: 'Kanal',
  chooseChannel: 'Kanal wählen',
  notes: 'Hinweise für Tester',
  changes: 'Was sich für Tester ändert',
  first: 'Der Kanal hat noch keinen Build dieser Plattform.',
  sameBuild: 'Dieser Build ist in dem Kanal schon aktuell.',
  mailed: { one: '# Tester erhält eine Mail.', other: '# Tester erhalten eine Mail.' },
  noSubscribers: 'Niemand erhält eine Mail: Der Kanal hat noch keine Abonnenten.',
  nobody:
    'Niemand erhält eine Mail: Die Abonnenten haben andere Plattformen gewählt oder ihre bisherigen Mails nicht geöffnet.',
  sameBuildReason: 'Er ist in diesem Kanal schon aktuell',
  done: (version, channel) => `${version} ist in ${channel} aktuell.`,
  noChannels: 'Das Projekt hat noch keine Kanäle.',
  createChannel: 'Kanal anlegen',
};

export const differences: typeof englishDifferences = {
  version: 'Version',
  size: 'Größe',
  minOs: 'Mindestversion',
  targetSdk: 'Ziel-SDK',
  name: 'Name',
  bundleId: 'Bundle-ID',
  signing: 'Signatur',
  profile: 'Profil',
  team: 'Team',
  certificate: 'Zertifikat',
  certificateSame: 'dasselbe',
  permissions: 'Berechtigungen',
  entitlements: 'Entitlements',
  warnings: 'Warnungen',
  none: 'keine',
  added: (names) => `neu: ${names}`,
  goneWarnings: 'nicht mehr',
  removed: (names) => `entfallen: ${names}`,
  unchanged: 'unverändert',
  older: 'Das ist eine ältere Version: Wer die neuere hat, muss sie zuerst entfernen.',
  otherCertificate: 'Android lehnt die Aktualisierung ab: Tester müssen die App zuerst entfernen.',
  otherTeam: 'iOS lehnt die Aktualisierung eines anderen Teams ab: Tester müssen die App zuerst entfernen.',
  otherBundle: 'Tester erhalten eine zweite App statt einer Aktualisierung.',
  olderDevices: 'Tester mit älteren Systemen behalten den Build, den sie haben.',
  platform: 'Plattform',
};
