import { type Words } from '../words';

export const bulk: Words['bulk'] = {
  titles: {
    subscribe: { one: '# Tester anmelden', other: '# Tester anmelden' },
    unsubscribe: { one: '# Tester abmelden', other: '# Tester abmelden' },
    invite: { one: '# Tester einladen', other: '# Tester einladen' },
    erase: { one: '# Tester löschen', other: '# Tester löschen' },
    remind: { one: '# Tester erinnern', other: '# Tester erinnern' },
  },
  texts: {
    subscribe:
      'Sie bekommen ab der nächsten Freigabe in diesem Kanal E-Mails. Wer sich selbst abgemeldet hat, bleibt abgemeldet.',
    unsubscribe: 'Sie bekommen keine E-Mails mehr zu diesem Kanal. Sie können sie wieder anmelden.',
    invite: 'Alle bekommen jetzt eine E-Mail mit einem eigenen Link.',
    erase:
      'Adressen, Namen, Abonnements und Links werden sofort gelöscht. Das Download-Protokoll behält Kennungen ohne persönliche Daten. Das lässt sich nicht rückgängig machen.',
  },
  remindText: (version, channel) =>
    `Alle bekommen noch eine E-Mail mit dem Link zu ${version} in ${channel}. Wer in den letzten 24 Stunden daran erinnert wurde, wird ausgelassen.`,
  done: {
    subscribe: { one: '# Tester wurde angemeldet.', other: '# Tester wurden angemeldet.' },
    unsubscribe: { one: '# Tester wurde abgemeldet.', other: '# Tester wurden abgemeldet.' },
    invite: { one: '# Einladung wurde gesendet.', other: '# Einladungen wurden gesendet.' },
    erase: { one: '# Tester wurde gelöscht.', other: '# Tester wurden gelöscht.' },
    remind: { one: '# Erinnerung wurde gesendet.', other: '# Erinnerungen wurden gesendet.' },
  },
  channel: 'Kanal',
  allChannels: 'Alle ihre Kanäle',
  field: (count) => `Tippen Sie zur Bestätigung ${count}`,
  mismatch: 'Tippen Sie die Zahl der Tester.',
  result: 'Ergebnis',
  skipped: (count, reason) => `${count} ausgelassen: ${reason}`,
  reasons: {
    has_it: 'hat den Build schon',
    has_newer: 'hat einen neueren Build',
    bounced: 'Adresse ungültig',
    left: 'selbst abgemeldet',
    reminded_recently: 'in den letzten 24 Stunden erinnert',
    not_in_audience: 'von der Freigabe nicht betroffen',
    not_found: 'kein Tester mehr',
    unchanged: 'war nicht angemeldet',
    unopened: 'bekam mehrere E-Mails und öffnete keine',
    rate_limited: 'die Grenze der E-Mails ist erreicht',
  },
};
