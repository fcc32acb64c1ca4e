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
    codeNeeded: 'Geben Sie den Code Ihrer Authenticator-App ein.',
    otherAddress: (address) => `Diese Oberfläche funktioniert nur unter ${address}.`,
    openOther: 'Dort öffnen',
    ended: 'Ihre Sitzung ist beendet. Melden Sie sich an, um fortzufahren.',
    solving: 'Es wird geprüft, dass Sie kein Skript sind…',
    noCaptcha: 'Die Prüfung braucht https. Öffnen Sie die https-Adresse dieser Oberfläche.',
  },
  signUp: {
    heading: 'Registrieren',
    name: 'Name',
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
    heading: 'Sehen Sie in Ihr Postfach',
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
