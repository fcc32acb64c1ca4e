import { android } from './android.de';
import { devicesDe } from './devices.de';
import { linksDe } from './links.de';
import { type Messages } from './messages.en';
import { warnings } from './warnings.de';

/** The texts of the pages in German: polite, simple, without jargon. */
export const de: Messages = {
  languageTag: 'de',
  languageName: 'Deutsch',
  footer: 'Verteilt mit Agate',
  contact: 'Kontakt:',
  privacy: 'Datenschutz',

  account: {
    verified: {
      title: 'Ihre E-Mail-Adresse ist bestätigt',
      text: 'Vielen Dank. Sie können diese Seite schließen und sich anmelden.',
    },
    alreadyVerified: {
      title: 'Ihre E-Mail-Adresse ist schon bestätigt',
      text: 'Sie haben diesen Link schon benutzt. Sie können sich jetzt anmelden.',
    },
    verifyLinkInvalid: {
      title: 'Dieser Bestätigungslink gilt nicht mehr',
      text: 'Er ist abgelaufen oder durch einen neueren ersetzt. Geben Sie Ihre E-Mail-Adresse ein, und wir schicken Ihnen einen neuen.',
      submit: 'Neuen Link schicken',
    },
    verifyLinkSent: {
      title: 'Sehen Sie in Ihrem Postfach nach',
      text: 'Wenn zu dieser Adresse ein Konto gehört, das noch bestätigt werden muss, ist ein neuer Link unterwegs.',
    },
    resetPassword: {
      title: 'Wählen Sie ein neues Passwort',
      text: 'Verwenden Sie mindestens 10 Zeichen. Ein Satz, den Sie sich merken können, ist besser als ein Wort mit Sonderzeichen. Alle anderen Sitzungen werden beendet.',
      submit: 'Neues Passwort speichern',
    },
    passwordRefused: {
      malformed: 'Dieses Passwort enthält Zeichen, die sich nicht speichern lassen. Wählen Sie ein anderes.',
      too_short: 'Dieses Passwort ist zu kurz. Verwenden Sie mindestens 10 Zeichen.',
      too_long: 'Dieses Passwort ist zu lang. Verwenden Sie höchstens 256 Zeichen.',
      too_common: 'Dieses Passwort ist eines der häufigsten. Wählen Sie ein anderes.',
    },
    resetDone: {
      title: 'Ihr neues Passwort ist gespeichert',
      text: 'Alle Sitzungen wurden beendet. Melden Sie sich mit dem neuen Passwort an.',
    },
    forgotten: {
      title: 'Passwort vergessen?',
      text: 'Geben Sie Ihre E-Mail-Adresse ein, und wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort wählen können.',
      submit: 'Link schicken',
    },
    resetLinkInvalid: {
      title: 'Dieser Link gilt nicht mehr',
      text: 'Er ist abgelaufen oder wurde schon benutzt. Geben Sie Ihre E-Mail-Adresse ein, und wir schicken Ihnen einen neuen.',
      submit: 'Neuen Link schicken',
    },
    resetLinkSent: {
      title: 'Sehen Sie in Ihrem Postfach nach',
      text: 'Wenn zu dieser Adresse ein Konto gehört, ist ein Link unterwegs, mit dem Sie ein neues Passwort wählen können.',
    },
    confirmNewEmail: {
      title: 'Bestätigen Sie Ihre neue Adresse',
      text: 'Danach melden Sie sich mit der neuen Adresse an. Alle Sitzungen werden beendet.',
      submit: 'Adresse bestätigen',
    },
    emailChanged: {
      title: 'Ihre neue Adresse ist bestätigt',
      text: 'Alle Sitzungen wurden beendet. Melden Sie sich mit der neuen Adresse an.',
    },
    emailLinkInvalid: {
      title: 'Dieser Link gilt nicht mehr',
      text: 'Er ist abgelaufen oder wurde schon benutzt. Melden Sie sich an und ändern Sie Ihre Adresse noch einmal, um einen neuen zu bekommen.',
    },
    invitation: {
      title: 'Sie sind eingeladen',
      text: 'Melden Sie sich mit dem Konto an, an dessen E-Mail-Adresse die Einladung ging, und nehmen Sie sie dann hier an.',
      submit: 'Einladung annehmen',
    },
    joined: {
      title: 'Sie sind dabei',
      text: (organization) => `Sie sind jetzt Mitglied von ${organization}.`,
    },
    logIn: 'Anmelden',
    signUp: 'Registrieren',
    openDashboard: 'Dashboard öffnen',
    email: 'E-Mail-Adresse',
    newPassword: 'Neues Passwort',
    revokePats:
      'Auch alle meine persönlichen Zugriffstoken widerrufen. Wählen Sie das, wenn jemand anderes Ihr Passwort kennen könnte.',
  },

  captcha: {
    title: 'Nachweis, dass Sie kein Programm sind',
    solving: 'Ihr Browser löst eine kleine Aufgabe, um Programme fernzuhalten …',
    solved: 'Die Aufgabe ist gelöst.',
    failed:
      'Ihr Browser konnte die Aufgabe nicht lösen. Dazu braucht er eine Adresse, die mit https:// beginnt. Laden Sie die Seite neu, um es noch einmal zu versuchen.',
    noScript:
      'Dieses Formular ist vor automatischen Anfragen geschützt. Schalten Sie JavaScript ein, um es abzuschicken.',
    notNeeded: 'Dieser Dienst verlangt kein Captcha.',
  },

  errors: {
    requestId: (id) => `Wenn Sie um Hilfe bitten, nennen Sie diese Nummer: ${id}`,
    tryAgain: 'Noch einmal versuchen',
    notFound: {
      title: 'Dieser Link funktioniert nicht',
      text: 'Vielleicht enthält er einen Tippfehler, wurde ersetzt oder gilt nicht mehr. Bitten Sie die Person, von der Sie ihn haben, um einen neuen.',
    },
    visitEnded: {
      title: 'Dieser Besuch ist zu Ende',
      text: 'Ein geschützter Link bleibt eine halbe Stunde offen. Öffnen Sie ihn noch einmal, um fortzufahren.',
      open: 'Link noch einmal öffnen',
    },
    noPage: {
      title: 'Diese Seite gibt es nicht',
      text: 'Vielleicht enthält die Adresse einen Tippfehler. Wenn Sie sie von einer Person haben, bitten Sie diese um eine neue.',
    },
    payment: {
      title: 'Dieser Download ist pausiert',
      text: 'Das Team, das diese App verteilt, hat sein Kontingent für Downloads im Moment aufgebraucht. Mit Ihrem Gerät ist alles in Ordnung. Sagen Sie bitte der Person Bescheid, von der Sie den Link haben, und versuchen Sie es später noch einmal.',
    },
    unavailable: {
      title: 'Gleich geht es weiter',
      text: 'Der Dienst erreicht seinen Speicher gerade nicht. Es ist nichts verloren. Warten Sie eine Minute und versuchen Sie es dann noch einmal.',
    },
    tooMany: {
      title: 'Einen Moment, bitte',
      text: 'Aus Ihrem Netzwerk kamen in kurzer Zeit zu viele Anfragen.',
      wait: (seconds) =>
        seconds === 1
          ? 'Warten Sie eine Sekunde und versuchen Sie es dann noch einmal.'
          : `Warten Sie ${seconds} Sekunden und versuchen Sie es dann noch einmal.`,
    },
    busy: {
      title: 'Einen Moment, bitte',
      text: 'Über diesen Link laufen gerade viele Downloads. Ihr Gerät und der Link sind in Ordnung. Versuchen Sie es in einigen Minuten noch einmal.',
    },
    rejected: {
      title: 'Das hat nicht geklappt',
      text: 'Der Dienst hat das nicht angenommen. Prüfen Sie Ihre Eingabe und versuchen Sie es noch einmal.',
    },
    unauthorized: {
      title: 'Melden Sie sich zuerst an',
      text: 'Dafür brauchen Sie ein Konto. Melden Sie sich in diesem Browser an und öffnen Sie den Link dann noch einmal.',
    },
    unverified: {
      title: 'Bestätigen Sie zuerst Ihre E-Mail-Adresse',
      text: 'Öffnen Sie den Link in der E-Mail, die Sie bei der Registrierung bekommen haben, und kommen Sie dann hierher zurück.',
    },
    alreadyDone: {
      title: 'Das ist bereits erledigt',
      text: 'Sie müssen nichts weiter tun.',
    },
    notHere: {
      title: 'Das geht von hier aus nicht',
      text: 'Öffnen Sie den Link in Ihrer Nachricht noch einmal und beginnen Sie dort.',
    },
    internal: {
      title: 'Bei uns ist etwas schiefgegangen',
      text: 'Es liegt nicht an Ihnen, und der Fehler wurde aufgezeichnet. Bitte versuchen Sie es gleich noch einmal.',
    },
  },

  devices: devicesDe,
  links: linksDe,

  testing: {
    unsubscribe: {
      title: (name) => `${name} abbestellen?`,
      text: 'Sie bekommen dann keine E-Mails mehr über neue Versionen. Ihre bisherigen Links funktionieren weiter.',
      submit: 'Abbestellen',
    },
    subscribed: {
      title: (name) => `Sie haben ${name} abonniert`,
      text: 'Wenn eine neue Version bereit ist, schicken wir Ihnen einen Link.',
    },
    returned: {
      title: (name) => `Willkommen zurück bei ${name}`,
      text: 'Sie können wieder zum Testen eingeladen werden.',
    },
    unsubscribed: {
      title: (name) => `Sie haben ${name} abbestellt`,
      text: 'Sie bekommen darüber keine E-Mails mehr.',
    },
    declined: {
      title: (name) => `Sie testen ${name} nicht mehr`,
      text: 'Sie bekommen darüber keine E-Mails mehr.',
    },
    platformsChosen: {
      title: (project) => `Ihre Auswahl für ${project} ist gespeichert`,
      text: (systems) => `Sie bekommen E-Mails über neue Versionen für: ${systems}.`,
      all: 'Sie bekommen E-Mails über alle neuen Versionen.',
    },
    undo: { text: 'Wenn das ein Versehen war, können Sie es hier rückgängig machen.', submit: 'Rückgängig machen' },
    alreadyDone: {
      title: 'Das ist bereits erledigt',
      text: 'Dieser Link wurde schon benutzt, deshalb wurde nichts geändert. Jede E-Mail enthält einen neuen Link.',
    },
  },

  install: {
    pageTitle: (app, version) => `${app} ${version} installieren`,
    pageDescription: (organization, system) => `Eine Testversion für ${system}, geteilt von ${organization}.`,
    systems: { ios: 'iOS', android: 'Android', macos: 'macOS', windows: 'Windows', linux: 'Linux' },
    version: (version) => `Version ${version}`,
    versionAndBuild: (version, buildNumber) => `Version ${version} (${buildNumber})`,
    iconOf: (app) => `Symbol von ${app}`,

    actions: {
      installIos: 'Installieren',
      downloadApk: 'Herunterladen und installieren',
      download: 'Herunterladen',
      downloadFile: 'Stattdessen die Datei herunterladen',
      tryAnyway: 'Trotzdem hier installieren',
      installInstead: (version) => `Stattdessen ${version} installieren`,
      copyLink: 'Link kopieren',
      copied: 'Kopiert',
      linkToThisPage: 'Link zu dieser Seite',
      thisIsAnIpad: 'Ich benutze ein iPad oder iPhone',
      thisIsAnAndroid: 'Ich benutze ein Android-Gerät',
    },
    notes: {
      installIos: 'Ihr Gerät fragt zur Sicherheit nach. Danach erscheint die App auf dem Home-Bildschirm.',
      downloadApk:
        'Öffnen Sie die Datei nach dem Download. Vielleicht fragt Ihr Gerät einmal, ob dieser Browser Apps installieren darf.',
      otherSystem: (system) => `Diese Datei ist für ${system}.`,
    },
    scan: {
      title: (systems) => `Öffnen Sie diese Seite auf Ihrem ${systems}`,
      ios: 'iPhone oder iPad',
      android: 'Android-Telefon',
      phone: 'Telefon',
      text: 'Richten Sie die Kamera auf den Code und folgen Sie dem Link.',
      alt: 'QR-Code mit der Adresse dieser Seite',
    },
    elsewhere: {
      title: (system) => `Diese Version ist für ${system}`,
      text: (device) => `Öffnen Sie diese Seite auf ${device}, um sie zu installieren.`,
      devices: {
        ios: 'einem iPhone oder iPad',
        android: 'einem Android-Gerät',
        macos: 'einem Mac',
        windows: 'einem Windows-Computer',
        linux: 'einem Linux-Computer',
      },
    },
    overview: {
      pageTitle: (project) => `Testversionen von ${project}`,
      pageDescription: (organization) => `Testversionen, geteilt von ${organization}.`,
      nothingFor: (system) => `Hier gibt es keine Version für ${system}`,
      othersBelow: 'Versionen für andere Geräte stehen unten.',
      empty: {
        title: 'Noch nichts zu installieren',
        text: 'Sobald es eine Version für Sie gibt, erscheint sie auf dieser Seite. Heben Sie diesen Link auf.',
      },
    },
    lists: {
      all: 'Alle Versionen',
      others: 'Weitere Versionen',
      older: 'Frühere Versionen',
    },
    subscriptionPanel: {
      title: 'Ihre Teilnahme',
      mailsTitle: 'E-Mails über neue Versionen',
      invited: 'Sie sind eingeladen, diese App zu testen.',
      declined: 'Sie testen diese App nicht mehr und bekommen keine E-Mails mehr über sie.',
      subscribed: (channel) => `Sie bekommen eine E-Mail über jede neue Version in „${channel}“.`,
      unsubscribed: (channel) => `Sie bekommen keine E-Mails über neue Versionen in „${channel}“.`,
      decline: 'Ich möchte diese App nicht testen',
      rejoin: 'Ich möchte diese App wieder testen',
      subscribe: 'E-Mails über neue Versionen bekommen',
      unsubscribe: 'Keine E-Mails mehr bekommen',
      platforms: {
        legend: 'E-Mails über Versionen für',
        hint: 'Keine Auswahl bedeutet: alle.',
        submit: 'Auswahl speichern',
      },
      used: 'Sie haben mit diesem Link schon etwas geändert. Für die nächste Änderung benutzen Sie den Link in Ihrer nächsten E-Mail.',
      personal: 'Dieser Link ist persönlich. Geben Sie ihn nicht weiter.',
    },
    inApp: {
      title: (browser) => `Öffnen Sie diese Seite in ${browser}`,
      named: (app) =>
        `Der Browser in ${app} kann keine Apps installieren. Kopieren Sie den Link und öffnen Sie ihn dort.`,
      unnamed:
        'Der eingebaute Browser dieser App kann keine Apps installieren. Kopieren Sie den Link und öffnen Sie ihn dort.',
      safari: 'Safari',
      chrome: 'Chrome',
    },
    blocked: {
      title: 'Diese Version lässt sich von hier aus nicht installieren',
    },
    refusals: {
      iosTooOld: {
        title: (version) => `Diese Version braucht iOS ${version} oder neuer`,
        text: (present) =>
          `Ihr Gerät hat iOS ${present} und installiert sie nicht. Öffnen Sie Einstellungen › Allgemein › Softwareupdate. Wenn dort kein Update angeboten wird, bitten Sie um eine Version für iOS ${present}.`,
      },
      ipadOnly: {
        title: 'Diese Version ist für das iPad',
        text: 'Ein iPhone installiert sie nicht. Öffnen Sie diese Seite auf einem iPad.',
      },
      ...android.refusals,
    },
    next: {
      trust: 'Nach der ersten Installation',
      developerMode: 'Bevor Sie die App zum ersten Mal öffnen',
      ...android.next,
    },
    insecure: {
      title: 'Zum Installieren ist eine sichere Adresse nötig',
      text: 'iOS installiert Apps nur von einer Adresse, die mit https:// beginnt, und dieser Dienst verwendet unverschlüsseltes http. Der Betreiber des Dienstes muss INSTALL_BASE_URL auf eine https-Adresse setzen.',
    },
    localOnly:
      'Diese Adresse funktioniert nur auf diesem Computer. Um auf einem Telefon zu installieren, setzen Sie INSTALL_BASE_URL auf eine Adresse, die das Telefon erreicht (für iOS https).',
    progress: {
      started:
        'Bestätigen Sie die Installation auf Ihrem Gerät und achten Sie dann auf das Symbol der App auf dem Home-Bildschirm.',
      stuck: 'Passiert nichts? Die üblichen Gründe stehen unten.',
    },
    warnings: { ...android.warnings, ...warnings },
    signatureBrokenFor: android.signatureBrokenFor,
    warningsTitle: 'Gut zu wissen',
    notesTitle: 'Was zu testen ist',
    trust: {
      line: (organization) => `${organization} schickt Ihnen diese App`,
      organization: 'Organisation',
      promoted: 'Freigegeben',
      uploaded: 'Hochgeladen',
      by: (time, person) => `${time}, von ${person}`,
      signer: 'Signiert von',
      checksum: 'Prüfsumme (SHA-256)',
    },
    factsTitle: 'Einzelheiten',
    facts: {
      uploaded: 'Hochgeladen',
      requires: 'Benötigt',
      orLater: (system, version) => `${system} ${version} oder neuer`,
      expires: 'Läuft bis',
      identifier: 'Kennung',
    },
    help: {
      title: 'Hilfe',
      unable: {
        title: 'Lässt sich nicht installieren?',
        lead: 'iOS zeigt für viele Ursachen dieselbe Meldung. Prüfen Sie sie in dieser Reihenfolge:',
        notRegistered:
          'Ihr Gerät ist beim Entwickler nicht registriert. Bitten Sie die Person, von der Sie diesen Link haben, es zu registrieren und eine neue Version zu schicken.',
        signature:
          'Die Signatur der App ist falsch oder abgelaufen. Der Entwickler muss sie neu signieren und hochladen.',
        tooOld: 'Die iOS-Version Ihres Geräts ist älter, als die App verlangt.',
        tooOldKnown: (version) => `Die iOS-Version Ihres Geräts ist älter als ${version}.`,
        storage: 'Auf Ihrem Gerät ist nicht genug Platz frei.',
        cellular: 'Die App ist zu groß für die Grenze Ihres Mobilfunknetzes. Nutzen Sie WLAN.',
        broken:
          'Der Download wurde unterbrochen. Löschen Sie das graue Symbol, falls es eines gibt, und installieren Sie noch einmal.',
      },
      trust: {
        title: '„Nicht vertrauenswürdiger Unternehmensentwickler“?',
        lead: 'Einer App für den Gebrauch in einer Organisation muss man je Entwickler einmal vertrauen:',
        steps: [
          'Öffnen Sie Einstellungen › Allgemein › VPN und Geräteverwaltung.',
          'Tippen Sie unter „Unternehmens-App“ auf den Namen des Entwicklers, dann auf „Vertrauen“.',
          'Ab iOS 18: Lassen Sie den Neustart zu, er schließt den Schritt ab.',
        ],
      },
      developerMode: {
        title: '„Entwicklermodus erforderlich“?',
        lead: 'Seit iOS 16 brauchen ihn manche Testversionen, die für registrierte Geräte signiert sind:',
        steps: [
          'Öffnen Sie Einstellungen › Datenschutz & Sicherheit › Entwicklermodus und schalten Sie ihn ein.',
          'Starten Sie neu, wenn Sie gefragt werden, entsperren Sie das Gerät und bestätigen Sie.',
          'Öffnen Sie die App wieder. Den Schalter gibt es erst, nachdem Sie eine Testversion installiert haben.',
        ],
      },
      ...android.help,
    },
  },
};
