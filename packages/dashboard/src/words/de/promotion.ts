import { type Words } from '../words';

export const promotion: Words['promotion'] = {
  promote: 'Freigeben',
  promoteAnyway: 'Trotzdem freigeben',
  blocked: 'Kein Gerät installiert diesen Build.',
  warnings: 'Warnungen',
  isNew: 'neu',
  title: (version) => `${version} freigeben`,
  channel: 'Kanal',
  notes: 'Hinweise für Tester',
  notify: 'Abonnenten benachrichtigen',
  mandatory: 'Pflicht-Update',
  mandatoryHint: 'Installierte Apps, die nach Updates suchen, müssen es installieren.',
  silent: 'Kein Tester erhält eine Mail über diese Freigabe.',
  changes: 'Was sich für Tester ändert',
  first: 'Der Kanal hat noch keinen Build dieser Plattform.',
  sameBuild: 'Dieser Build ist in dem Kanal schon aktuell.',
  mailed: { one: '# Tester erhält eine Mail.', other: '# Tester erhalten eine Mail.' },
  noSubscribers: 'Kein Tester erhält eine Mail: Der Kanal hat noch keine Abonnenten.',
  noRecipients:
    'Kein Tester erhält eine Mail: Die Abonnenten haben andere Plattformen gewählt, ihre bisherigen Mails nicht geöffnet oder eine ungültige Adresse.',
  sameBuildReason: 'Er ist in diesem Kanal schon aktuell',
  done: (version, channel) => `${version} ist in ${channel} aktuell.`,
  mailsSoon: { one: '# Mail wird in einer Minute versendet.', other: '# Mails werden in einer Minute versendet.' },
  undo: 'Rückgängig',
  undone: (version, channel, before) =>
    `${version} wurde zurückgenommen: In ${channel} ist wieder ${before} aktuell. Niemand erhält eine Mail darüber.`,
  undoneFirst: (version, channel) =>
    `${version} wurde aus ${channel} zurückgenommen. Niemand erhält eine Mail darüber.`,
  undoFailed: {
    undo_expired:
      'Es ist zu spät: Eine Freigabe kann nur eine Minute lang rückgängig gemacht werden, bevor Mails versendet werden. Ziehen Sie sie zurück.',
    undo_reminded: 'Das geht nicht mehr: Tester wurden daran erinnert. Ziehen Sie die Freigabe zurück.',
    undo_replaced: 'Das geht nicht mehr: Inzwischen wurde ein anderer Build freigegeben.',
  },
  noChannels: 'Das Projekt hat noch keine Kanäle.',
  createChannel: 'Kanal anlegen',
};
