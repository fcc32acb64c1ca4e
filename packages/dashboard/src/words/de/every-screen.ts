import { type UiWords } from '../../ui/ui-words';
import { formatExactTime, formatPlural, formatRelativeTime } from '../format';
import { type Words } from '../words';

export const session: Words['session'] = {
  logIn: {
    heading: 'Anmelden',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    submit: 'Anmelden',
    forgot: 'Passwort vergessen?',
    signUp: 'Registrieren',
    wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    code: 'Code',
    codeHint: 'Code der Authenticator-App oder Wiederherstellungscode',
    wrongCode:
      'Der Code ist falsch. Geben Sie den aktuellen Code Ihrer Authenticator-App oder einen Wiederherstellungscode ein.',
    otherAddress: (address) => `Diese Oberfläche funktioniert nur unter ${address}.`,
    openOther: 'Dort öffnen',
    ended: 'Ihre Sitzung ist beendet. Melden Sie sich an, um dort fortzufahren, wo Sie waren.',
    textKept: 'Was Sie geschrieben haben, bleibt erhalten.',
    solving: 'Es wird geprüft, dass Sie kein Skript sind…',
    noCaptcha: 'Die Prüfung braucht https. Öffnen Sie die https-Adresse dieser Oberfläche.',
  },
  signUp: {
    heading: 'Registrieren',
    name: 'Name (optional)',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    passwordHint: 'Mindestens 10 Zeichen.',
    submit: 'Registrieren',
    haveAccount: 'Anmelden',
    closed:
      'Die Registrierung ist auf diesem Dienst geschlossen. Bitten Sie eine Administratorin oder einen Administrator Ihrer Organisation um eine Einladung.',
    invited:
      'Hier können sich nur eingeladene Adressen registrieren. Verwenden Sie die Adresse, an die Ihre Einladung ging.',
  },
  inbox: {
    heading: 'Prüfen Sie Ihr Postfach',
    verification: (email) =>
      `Wir haben einen Link an ${email} gesendet. Öffnen Sie ihn, um Ihre E-Mail-Adresse zu bestätigen.`,
    reset: (email) => `Wenn ${email} ein Konto hat, haben wir einen Link für ein neues Passwort dorthin gesendet.`,
    written: 'Dieser Dienst hat keinen Mailserver: Der Link steht im Protokoll des Dienstes.',
    again: 'Mail erneut senden',
    sent: 'Die Mail wurde erneut gesendet.',
    wait: (seconds) => `In ${seconds} s können Sie sie erneut senden.`,
    logIn: 'Anmelden',
  },
  forgot: {
    heading: 'Passwort vergessen?',
    explanation:
      'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Wir senden einen Link, mit dem Sie ein neues Passwort setzen können.',
    submit: 'Link senden',
    back: 'Anmelden',
  },
};

export const frame: Words['frame'] = {
  skip: 'Zum Inhalt springen',
  product: 'Agate',
  organization: 'Organisation',
  project: 'Projekt',
  projects: 'Projekte',
  moreProjects: 'Weitere Projekte',
  allProjects: 'Alle Projekte',
  switchOrganization: 'Organisation wechseln',
  newOrganization: 'Neue Organisation',
  accountMenu: 'Kontomenü',
  account: 'Konto',
  logOut: 'Abmelden',
  search: 'Suchen oder springen zu',
  searchShort: 'Suchen',
  paletteKeys: { control: 'Strg K', command: '⌘ K' },
  theme: 'Farben',
  language: 'Sprache',
  themes: { system: 'System', light: 'Hell', dark: 'Dunkel' },
  languages: { en: 'English', de: 'Deutsch' },
  overview: 'Übersicht',
  builds: 'Builds',
  channels: 'Kanäle',
  testers: 'Tester',
  tokens: 'Tokens',
  allTokens: 'Alle Tokens',
  access: 'Zugriff',
  settings: 'Einstellungen',
  projectSettings: 'Projekt verwalten',
  organizationSettings: 'Organisation verwalten',
  members: 'Mitglieder',
  audit: 'Audit-Protokoll',
  billing: 'Abrechnung',
  storage: 'Speicher',
  more: 'Mehr',
  loading: 'Wird geladen…',
  filters: {
    button: (count) => (count > 0 ? `Filter (${count})` : 'Filter'),
    show: 'Ergebnisse anzeigen',
    clear: 'Filter zurücksetzen',
  },
  uploadBuild: 'Build hochladen',
  verify: {
    heading: 'Bestätigen Sie Ihre E-Mail-Adresse',
    text: (email) =>
      `Bis Sie den Link öffnen, den wir an ${email} gesendet haben, können Sie alles ansehen, aber nichts ändern.`,
    again: 'Mail erneut senden',
    sent: 'Die Mail wurde erneut gesendet.',
    reason: 'Bestätigen Sie zuerst Ihre E-Mail-Adresse',
  },
  notFound: {
    heading: 'Nicht gefunden',
    text: 'Diese Seite gibt es nicht, oder Sie haben keinen Zugriff darauf.',
    as: (email) => `Sie sind als ${email} angemeldet.`,
    asRole: (email, roles, organization) =>
      `Sie sind als ${email} angemeldet, mit der Rolle ${roles} in ${organization}.`,
    home: 'Zur Startseite',
  },
  failed: {
    heading: 'Etwas ist schiefgegangen',
    reload: 'Seite neu laden',
    waiting: 'Warten auf den Dienst',
    waitingText:
      'Diese Seite war noch nicht geladen, als der Dienst ausfiel. Sie öffnet sich, sobald er wieder antwortet.',
    newVersion: 'Es gibt eine neue Version der Oberfläche. Laden Sie die Seite neu.',
  },
};

export const errors: Words['errors'] = {
  requestId: (id) => `Anfrage-ID: ${id}`,
  tryAgain: 'Erneut versuchen',
  network: 'Der Dienst ist nicht erreichbar. Prüfen Sie die Netzwerkverbindung.',
  needsRole: (role) => `Erfordert die Rolle „${role}“`,
  needsPlan: (plan) => `Erfordert den Tarif ${plan}`,
  offline: {
    heading: 'Der Dienst ist nicht erreichbar',
    text: 'Was Sie sehen, kann veraltet sein. Die Oberfläche versucht es von selbst erneut.',
  },
};

export const roles: Words['roles'] = {
  MEMBER: 'Mitglied',
  READ: 'Lesen',
  AUDITOR: 'Prüfung',
  BILLING: 'Abrechnung',
  MANAGER: 'Verwaltung',
  ADMIN: 'Administration',
  VIEW_PROJECT: 'Projekt ansehen',
  DOWNLOAD_BUILD: 'Builds herunterladen',
  UPLOAD_BUILD: 'Builds hochladen',
  MANAGE_TESTERS: 'Tester verwalten',
  MANAGE_RELEASES: 'Freigaben verwalten',
  MANAGE_PROJECT: 'Projekt verwalten',
};

export const ui: UiWords = {
  cancel: 'Abbrechen',
  close: 'Schließen',
  running: 'Warten Sie, bis dies abgeschlossen ist',
  copied: 'Kopiert',
  copyFailed: 'Der Browser hat das abgelehnt. Markieren und kopieren Sie den Text.',
  loading: 'Wird geladen',
  loadMore: 'Mehr laden',
  soFar: (count) => `Bisher ${count}`,
  nothingYet: 'Bisher nichts gefunden. Ältere Einträge wurden noch nicht durchsucht.',
  notifications: 'Mitteilungen',
  dismiss: 'Ausblenden',
  tryAgain: 'Erneut versuchen',
  help: 'Hilfe zu dieser Seite (englisch)',
  explained: 'Was das bedeutet (englisch)',
  requestId: 'Anfrage-ID',
  showAsTable: 'Als Tabelle zeigen',
  showAsChart: 'Als Diagramm zeigen',
  showPassword: 'Passwort anzeigen',
  hidePassword: 'Passwort verbergen',
  clearSearch: 'Suche leeren',
  newTab: 'öffnet sich in einem neuen Tab',
  done: 'erledigt',
  current: 'aktuell',
  unchanged: 'unverändert',
  changesTo: 'wird zu',
  day: 'Tag',
  retryIn: (seconds) =>
    formatPlural('de', seconds, {
      one: 'Nächster Versuch in # Sekunde.',
      other: 'Nächster Versuch in # Sekunden.',
    }),
  relativeTime: (time, now) => formatRelativeTime('de', time, now),
  exactTime: (time) => formatExactTime('de', time),
  utcTime: (time) => formatExactTime('de', time, 'UTC'),
  required: 'Füllen Sie dieses Feld aus.',
  invalidEmail: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel ann@example.com.',
  invalidUrl: 'Geben Sie eine Adresse ein, die mit https:// beginnt.',
  invalidValue: 'Geben Sie einen gültigen Wert ein.',
  tooShort: (minimum) => `Geben Sie mindestens ${minimum} Zeichen ein.`,
  tooLong: (maximum) => `Geben Sie höchstens ${maximum} Zeichen ein.`,
  tooSmall: (minimum) => `Geben Sie ${minimum} oder mehr ein.`,
  tooLarge: (maximum) => `Geben Sie ${maximum} oder weniger ein.`,
};

/** The texts that every screen needs. All others are loaded with the screens that show them. */
export const everyScreen = { session, frame, errors, roles, ui };
