import { type Words } from '../words';

export const projects: Words['projects'] = {
  heading: 'Projekte',
  search: 'Projekte suchen',
  create: 'Projekt anlegen',
  columns: {
    project: 'Projekt',
    latest: 'Neueste Versionen',
    channels: 'Kanäle',
    testers: 'Tester',
    downloads: 'Downloads, 14 T.',
    activity: 'Letzte Aktivität',
  },
  noBuilds: 'Noch keine Builds',
  nothingCurrent: 'nichts aktuell',
  moreChannels: { one: '# weiterer Kanal', other: '# weitere Kanäle' },
  downloads: { one: '# Download in den letzten 14 Tagen', other: '# Downloads in den letzten 14 Tagen' },
  count: { one: '# Projekt', other: '# Projekte' },
  newestFirst: 'neueste zuerst',
  empty: {
    heading: 'Noch keine Projekte',
    text: 'Ein Projekt enthält die Builds, Kanäle und Tester einer App.',
  },
  hidden: {
    heading: (roles) => `Mit der Rolle ${roles} sehen Sie keine Projekte`,
    text: 'Die Administration kann Ihnen eine Rolle geben, mit der Sie Projekte sehen.',
    ofMember:
      'Sie sehen ein Projekt, sobald Sie eine Rolle darin haben. Die Administration oder die Verwaltung des Projekts kann Ihnen eine geben.',
  },
  nothing: { heading: 'Nichts passt', text: 'Kein Projekt hat diesen Namen.', clear: 'Suche leeren' },
  dialog: {
    title: 'Projekt anlegen',
    name: 'Name des Projekts',
    nameHint: 'Der Name der App. Tester sehen ihn auf Installationsseiten und in Mails.',
    language: 'Sprache der Mails an Tester',
    languages: { en: 'Englisch', de: 'Deutsch' },
    create: 'Projekt anlegen',
  },
  attention: {
    invited: (organization) => `Sie sind zu ${organization} eingeladen.`,
    answer: 'Einladung beantworten',
    openInvitations: { one: '# Einladung ist offen.', other: '# Einladungen sind offen.' },
    members: 'Mitglieder ansehen',
    noCredit: 'Das Guthaben ist aufgebraucht. Uploads und Downloads werden abgelehnt.',
    credit: (left, days) => `${left} Guthaben sind übrig. Beim Verbrauch dieses Monats reicht das ${days}.`,
    capReached: 'Die Ausgabengrenze ist erreicht. Uploads und Downloads werden bis zum nächsten Monat abgelehnt.',
    cap: (left, days) => `${left} sind bis zur Ausgabengrenze übrig. Beim Verbrauch dieses Monats reicht das ${days}.`,
    days: { one: '# Tag', other: '# Tage' },
    billing: 'Abrechnung ansehen',
  },
};
