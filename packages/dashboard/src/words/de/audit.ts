import { type EventFacts } from '../event-words';
import { type Words } from '../words';

const EVENTS = { one: '# Ereignis', other: '# Ereignisse' };
const DEVICES = { one: '# Gerät', other: '# Geräte' };
const TESTERS = { one: '# Tester', other: '# Tester' };
const IN_DAYS = { one: 'in # Tag', other: 'in # Tagen' };
const SIGNING: Readonly<Record<string, string>> = {
  profile: 'Provisioning-Profil',
  certificate: 'Signaturzertifikat',
};

/** The name of a token, behind its kind. */
const of = (f: EventFacts): string => (f.subject ? ` ${f.subject}` : '');
const named = (f: EventFacts): string => (f.text('name') ? ` ${f.text('name')}` : '');

const events: Words['audit']['events'] = {
  'developer.signed_up': 'Konto erstellt',
  'developer.invited': 'Konto vom Betreiber erstellt',
  'developer.email_verified': 'E-Mail-Adresse bestätigt',
  'developer.updated': 'Profil geändert',
  'developer.password_reset': 'Passwort zurückgesetzt',
  'developer.password_changed': 'Passwort geändert',
  'developer.email_changed': 'E-Mail-Adresse geändert',
  'developer.mfa_enrolled': 'Zwei-Faktor-Anmeldung angefordert',
  'developer.mfa_enabled': 'Zwei-Faktor-Anmeldung eingeschaltet',
  'developer.mfa_disabled': 'Zwei-Faktor-Anmeldung ausgeschaltet',
  'developer.mfa_blocked': 'Zwei-Faktor-Codes vorübergehend gesperrt',
  'developer.recovery_code_used': 'Wiederherstellungscode verwendet',
  'developer.mfa_reset': 'Zwei-Faktor-Anmeldung vom Betreiber entfernt',
  'developer.signed_out': 'Alle Sitzungen vom Betreiber beendet',
  'developer.suspended': 'Konto gesperrt',
  'developer.unsuspended': 'Sperre aufgehoben',
  'developer.deleted': 'Konto gelöscht',
  'account.flagged': 'Anfragegrenze häufig überschritten',
  'login.succeeded': 'Angemeldet',
  'login.failed': 'Anmeldung abgelehnt',
  'device_login.confirmed': 'Anmeldung eines Programms bestätigt',
  'device_login.denied': 'Anmeldung eines Programms abgebrochen',
  'session.refresh_reuse': 'Sitzung widerrufen: ihr Token wurde zweimal verwendet',
  'session.ended': 'Sitzung beendet',
  'session.others_ended': 'Alle anderen Sitzungen beendet',
  'session.logged_out': 'Abgemeldet',
  'organization.created': ['Organisation erstellt', (f) => `Organisation ${f.text('name')} erstellt`],
  'organization.updated': ['Organisation umbenannt', (f) => `Organisation in ${f.text('name')} umbenannt`],
  'organization.branding_updated': 'Erscheinungsbild geändert',
  'organization.deleted': 'Organisation gelöscht',
  'audit.pruned': [
    'Alte Ereignisse gelöscht',
    (f) => `${f.count('events', EVENTS)} von vor dem ${f.date('before')} gelöscht: der Tarif bewahrt keine älteren auf`,
  ],
  'billing.plan_changed': ['Tarif geändert', (f) => `Tarif von ${f.plan('previous')} auf ${f.plan('plan')} geändert`],
  'billing.updated': [
    'Ausgabengrenze oder Warnungen geändert',
    (f) =>
      (f.money('spend_cap_micro_usd')
        ? `Ausgabengrenze auf ${f.money('spend_cap_micro_usd')} gesetzt`
        : 'Keine Ausgabengrenze gesetzt') +
      (f.list('budget_alert_percents') ? `, Warnungen bei ${f.list('budget_alert_percents')} %` : ''),
  ],
  'billing.top_up_requested': [
    'Aufladung angefordert',
    (f) => `Aufladung von ${f.money('amount_micro_usd')} angefordert`,
  ],
  'billing.top_up_paid': ['Aufladung bezahlt', (f) => `Bezahlte Aufladung von ${f.money('amount_micro_usd')} gebucht`],
  'billing.credit_granted': [
    'Guthaben gewährt',
    (f) => `Guthaben von ${f.money('amount_micro_usd')} gewährt (${f.text('reference')})`,
  ],
  'billing.fee_waiver_changed': [
    'Erlass der Gebühr geändert',
    (f) => (f.isTrue('waived') ? 'Gebühr des Tarifs erlassen' : 'Erlass der Gebühr des Tarifs beendet'),
  ],
  'billing.budget_reached': [
    'Budgetwarnung erreicht',
    (f) => `Ausgaben haben ${f.number('percent')} % des Budgets für ${f.month('period')} erreicht`,
  ],
  'billing.period_closed': [
    'Monat abgeschlossen',
    (f) => `${f.month('period')} abgeschlossen und abgerechnet${f.isTrue('last') ? ', zum letzten Mal' : ''}`,
  ],
  'member.invited': ['Mitglied eingeladen', (f) => `${f.subject || 'Eine Person'} als ${f.roles('roles')} eingeladen`],
  'invitation.withdrawn': 'Einladung zurückgezogen',
  'invitation.declined': 'Einladung abgelehnt',
  'member.joined': ['Mitglied beigetreten', (f) => `Der Organisation als ${f.roles('roles')} beigetreten`],
  'member.roles_changed': [
    'Rollen geändert',
    (f) => `Rollen von ${f.person || 'einem Mitglied'} geändert: ${f.roles('previous_roles')} zu ${f.roles('roles')}`,
  ],
  'member.removed': [
    'Mitglied entfernt',
    (f) =>
      f.actorId === f.text('developer_id')
        ? 'Die Organisation verlassen'
        : `${f.person || 'Ein Mitglied'} aus der Organisation entfernt`,
  ],
  'project_member.changed': [
    'Projektrolle gesetzt',
    (f) => `Rolle von ${f.person || 'einem Mitglied'} im Projekt auf ${f.roles('role')} gesetzt`,
  ],
  'project_member.removed': [
    'Projektrolle entfernt',
    (f) => `Rolle von ${f.person || 'einem Mitglied'} im Projekt entfernt`,
  ],
  'project.created': ['Projekt erstellt', (f) => `Projekt ${f.text('name')} erstellt`],
  'project.updated': [
    'Projekt geändert',
    (f) => (f.text('name') ? `Projekt in ${f.text('name')} umbenannt` : 'Projekt geändert'),
  ],
  'project.min_supported_changed': 'Niedrigste unterstützte Versionen geändert',
  'project.retention_changed': ['Aufbewahrung geändert', () => 'Aufbewahrungsregeln geändert'],
  'project.deleted': 'Projekt gelöscht',
  'project_access_token.created': [
    'Projektzugriffstoken erstellt',
    (f) => `Projektzugriffstoken${of(f)} mit der Rolle ${f.roles('role')} erstellt`,
  ],
  'project_access_token.rotated': [
    'Projektzugriffstoken erneuert',
    (f) =>
      f.isTrue('overlap_seconds')
        ? `Projektzugriffstoken${of(f)} erneuert; der alte Wert gilt noch ${f.number('overlap_seconds')} s`
        : `Projektzugriffstoken${of(f)} erneuert`,
  ],
  'project_access_token.revoked': ['Projektzugriffstoken widerrufen', (f) => `Projektzugriffstoken${of(f)} widerrufen`],
  'personal_access_token.created': [
    'Persönliches Zugriffstoken erstellt',
    (f) => `Persönliches Zugriffstoken${of(f)} für ${f.list('scopes')} erstellt`,
  ],
  'personal_access_token.rotated': [
    'Persönliches Zugriffstoken erneuert',
    (f) => `Persönliches Zugriffstoken${of(f)} erneuert`,
  ],
  'personal_access_token.revoked': [
    'Persönliches Zugriffstoken widerrufen',
    (f) => `Persönliches Zugriffstoken${of(f)}${f.person ? ` von ${f.person}` : ''} widerrufen`,
  ],
  'build.upload_started': ['Upload begonnen', (f) => `Upload von ${f.bytes('size_bytes')} begonnen`],
  'build.upload_dropped': [
    'Upload ohne Build beendet',
    (f) =>
      ({
        dropped: 'Upload verworfen',
        expired: 'Unfertiger Upload abgelaufen',
        refused: 'Upload abgelehnt',
      })[f.text('reason')] ?? 'Upload ohne Build beendet',
  ],
  'build.uploaded': [
    'Build hochgeladen',
    (f) => `${f.build} für ${f.platforms('platform')} hochgeladen, ${f.bytes('size_bytes')}`,
  ],
  'build.updated': ['Notizen geändert', (f) => `Notizen von ${f.build || 'einem Build'} geändert`],
  'build.link_rotated': [
    'Installationslink eines Builds ersetzt',
    (f) => `Installationslink von ${f.build || 'einem Build'} ersetzt`,
  ],
  'build.deleted': ['Build gelöscht', (f) => `${f.build || 'Build'} gelöscht`],
  'build.restored': ['Build wiederhergestellt', (f) => `${f.build || 'Build'} aus dem Papierkorb wiederhergestellt`],
  'build.purged': ['Build aus dem Papierkorb gelöscht', (f) => `${f.build || 'Build'} aus dem Papierkorb gelöscht`],
  'build.deletion_scheduled': [
    'Build wird bald gelöscht',
    (f) => `${f.build || 'Ein Build'} kommt am ${f.date('expires_at')} in den Papierkorb`,
  ],
  'build.signing_expires': [
    'Signatur eines Builds läuft bald ab',
    (f) => `${SIGNING[f.text('what')] ?? 'Signatur'} von ${f.build} läuft ${f.count('days_left', IN_DAYS)} ab`,
  ],
  'build.signing_expired': [
    'Signatur eines Builds abgelaufen',
    (f) => `${SIGNING[f.text('what')] ?? 'Signatur'} von ${f.build} ist am ${f.date('expires_at')} abgelaufen`,
  ],
  'build.download_url_created': ['Download begonnen', (f) => `Download von ${f.build || 'einem Build'} angefordert`],
  'attachment.created': [
    'Datei zu einem Build hinzugefügt',
    (f) => `${f.text('file_name')} zu ${f.build || 'einem Build'} hinzugefügt, ${f.bytes('size_bytes')}`,
  ],
  'attachment.deleted': [
    'Datei eines Builds gelöscht',
    (f) => `Datei ${f.text('file_name')} von ${f.build || 'einem Build'} gelöscht`,
  ],
  'build.update_signature_set': [
    'Update-Signatur eines Builds geändert',
    (f) => `Update-Signatur von ${f.build || 'einem Build'} geändert`,
  ],
  'channel.created': ['Kanal erstellt', (f) => `Kanal ${f.text('name')} erstellt`],
  'channel.updated': ['Kanal umbenannt', (f) => `Kanal in ${f.text('name')} umbenannt`],
  'channel.link_rotated': [
    'Installationslink eines Kanals ersetzt',
    (f) => `Installationslink des Kanals${f.channel ? ` ${f.channel}` : ''} ersetzt`,
  ],
  'channel.deleted': ['Kanal gelöscht', (f) => `Kanal ${f.text('name')} gelöscht`],
  'link.created': ['Link erstellt', (f) => `Link ${f.text('name')} erstellt`],
  'link.updated': ['Link geändert', (f) => `Link ${f.text('name')} geändert`],
  'link.rotated': ['Link ersetzt', (f) => `Adresse des Links ${f.text('name')} ersetzt`],
  'link.deleted': ['Link gelöscht', (f) => `Link ${f.text('name')} gelöscht`],
  'link.password_failed': ['Falsches Passwort eines Links', () => 'Falsches Passwort an einen Link gesendet'],
  'update_key.created': [
    'Update-Schlüssel erstellt',
    (f) => `Update-Schlüssel für ${f.platforms('platform')} erstellt`,
  ],
  'update_key.rotated': ['Update-Schlüssel ersetzt', (f) => `Update-Schlüssel für ${f.platforms('platform')} ersetzt`],
  'update_key.revoked': [
    'Update-Schlüssel widerrufen',
    (f) => `Update-Schlüssel für ${f.platforms('platform')} widerrufen`,
  ],
  'release.promoted': [
    'Build freigegeben',
    (f) =>
      `${f.build || 'Build'} für ${f.platforms('platform')} in ${f.channel || 'einem Kanal'} freigegeben, Freigabe ${f.number('sequence')}`,
  ],
  'release.undone': [
    'Freigabe rückgängig gemacht',
    (f) =>
      `${f.build || 'Build'} für ${f.platforms('platform')} vor dem Mailversand aus ${f.channel || 'einem Kanal'} zurückgenommen`,
  ],
  'release.withdrawn': [
    'Freigabe zurückgezogen',
    (f) =>
      `Freigabe ${f.number('sequence')} für ${f.platforms('platform')} aus ${f.channel || 'einem Kanal'} zurückgezogen`,
  ],
  'release.reminded': [
    'Tester erinnert',
    (f) => `${f.number('queued')} Tester an ${f.build || 'einen Build'} in ${f.channel || 'einem Kanal'} erinnert`,
  ],
  'channel.subscribers_changed': [
    'Abonnements geändert',
    (f) =>
      `${f.count('subscribed', TESTERS)} bei ${f.channel || 'einem Kanal'} angemeldet, ${f.number('unsubscribed')} abgemeldet`,
  ],
  'tester.created': ['Tester hinzugefügt', (f) => `${f.subject || 'Tester'} hinzugefügt`],
  'tester.updated': ['Tester umbenannt', (f) => `${f.subject || 'Tester'} umbenannt`],
  'tester.erased': 'Tester gelöscht',
  'tester.invited': [
    'Tester eingeladen',
    (f) =>
      `Installationslink von ${f.build || f.channel || (f.text('channel_id') ? 'einem Kanal' : 'einem Build')} an ${f.subject || 'einen Tester'} gesendet`,
  ],
  'tester.bounced': [
    'Adresse eines Testers ungültig',
    (f) => `${f.subject || 'Ein Tester'} ist nicht erreichbar (${f.text('code')})`,
  ],
  'tester.subscribed': [
    'Tester angemeldet',
    (f) => `${f.subject || 'Tester'} bei ${f.channel || 'einem Kanal'} angemeldet`,
  ],
  'tester.unsubscribed': [
    'Tester abgemeldet',
    (f) => `${f.subject || 'Tester'} bei ${f.channel || 'einem Kanal'} abgemeldet`,
  ],
  'tester.declined': ['Tester ausgestiegen', (f) => `${f.subject || 'Ein Tester'} hat das Projekt verlassen`],
  'tester.returned': ['Tester zurückgekehrt', (f) => `${f.subject || 'Ein Tester'} ist zum Projekt zurückgekehrt`],
  'tester.platforms_chosen': [
    'Plattformen der Mails gewählt',
    (f) => `${f.subject || 'Ein Tester'} möchte Mails zu ${f.platforms('platforms')}`,
  ],
  'testers.imported': [
    'Tester importiert',
    (f) =>
      `${f.count('created', TESTERS)} importiert` +
      (f.text('channel_id') ? `, ${f.number('subscribed')} bei ${f.channel || 'einem Kanal'} angemeldet` : ''),
  ],
  'device.registered': 'Gerät registriert',
  'device.updated': 'Gerät geändert',
  'device.included': [
    'Gerät enthalten',
    (f) => `Ein Gerät steht zum ersten Mal im Profil von ${f.build || 'einem Build'}`,
  ],
  'device.removed': 'Gerät entfernt',
  'devices.imported': ['Geräte importiert', (f) => `${f.count('created', DEVICES)} importiert`],
  'devices.exported': ['Gerätekennungen gelesen', (f) => `Die Kennungen von ${f.count('count', DEVICES)} gelesen`],
  'devices.marked_registered': 'Geräte als bei Apple registriert markiert',
  'byosa.configured': ['Eigener Speicher eingerichtet', (f) => `Eigenen Speicher eingerichtet (${f.text('provider')})`],
  'byosa.changed': [
    'Eigener Speicher geändert',
    (f) =>
      f.text('state') === 'draining'
        ? 'Ende des eigenen Speichers angefordert'
        : 'Einstellungen des eigenen Speichers geändert',
  ],
  'byosa.flipped': [
    'Speicher umgeschaltet',
    (f) =>
      f.text('to') === 'byosa'
        ? 'Neue Dateien gehen in den eigenen Speicher'
        : 'Neue Dateien gehen wieder in den Speicher des Dienstes',
  ],
  'byosa.removed': 'Eigener Speicher entfernt',
  'webhook.created': ['Webhook angelegt', (f) => `Webhook${named(f)} angelegt`],
  'webhook.updated': ['Webhook geändert', (f) => `Webhook${named(f)} geändert`],
  'webhook.secret_rotated': ['Geheimnis eines Webhooks ersetzt', (f) => `Geheimnis des Webhooks${named(f)} ersetzt`],
  'webhook.resumed': ['Webhook eingeschaltet', (f) => `Webhook${named(f)} eingeschaltet`],
  'webhook.turned_off': ['Webhook ausgeschaltet', (f) => `Webhook${named(f)} ausgeschaltet`],
  'webhook.deleted': ['Webhook gelöscht', (f) => `Webhook${named(f)} gelöscht`],
  'keys.rotated': 'Geheimnisse neu verschlüsselt',
  'clock.confirmed': 'Uhr bestätigt',
  'jobs.retried': 'Fehlgeschlagene Aufgaben wiederholt',
  'jobs.swept': 'Geplante Aufgaben ausgeführt',
  'blobs.clean_started': 'Bereinigung des Speichers begonnen',
  'blobs.cleaned': 'Speicher bereinigt',
  'backup.started': 'Sicherung begonnen',
  'backup.created': 'Sicherung erstellt',
  'backup.restored': 'Sicherung wiederhergestellt',
  'organization.export_requested': 'Export aller Daten angefordert',
  'organization.export_started': 'Export aller Daten begonnen',
  'organization.exported': 'Alle Daten exportiert',
  'organization.erasure_started': 'Löschung der Organisation begonnen',
  'organization.erased': 'Organisation gelöscht',
  'developer.export_requested': 'Export der Daten eines Kontos angefordert',
  'developer.export_started': 'Export der Daten eines Kontos begonnen',
  'developer.exported': 'Daten eines Kontos exportiert',
  'developer.erased': 'Konto gelöscht',
};

export const audit: Words['audit'] = {
  heading: 'Audit-Protokoll',
  type: 'Art des Ereignisses',
  allTypes: 'Alle Arten',
  person: 'Person',
  everybody: 'Alle Personen',
  address: 'IP-Adresse',
  invalidAddress: 'Geben Sie eine IP-Adresse ein, zum Beispiel 192.0.2.7.',
  project: 'Projekt',
  allProjects: 'Alle Projekte',
  deletedProject: 'ein gelöschtes Projekt',
  day: 'Tag',
  previous: 'Voriger Tag mit Ereignissen',
  next: 'Nächster Tag mit Ereignissen',
  noPrevious: 'Es gibt keine früheren Ereignisse',
  noNext: 'Es gibt keine späteren Ereignisse',
  table: 'Ereignisse',
  columns: { time: 'Zeit', who: 'Wer', what: 'Was', where: 'Wo', address: 'IP-Adresse' },
  actors: {
    developer: 'Entwickler',
    project_access_token: 'Projektzugriffstoken',
    invite: 'Tester',
    update_key: 'Installierte App',
    anonymous: 'Ohne Anmeldung',
    system: 'Der Dienst',
    operator: 'Betreiber',
  },
  deletedAccount: 'Ein gelöschtes Konto',
  count: EVENTS,
  details: {
    time: 'Zeit',
    who: 'Wer',
    actorId: 'ID der handelnden Person',
    address: 'IP-Adresse',
    project: 'Projekt',
    type: 'Art',
    id: 'ID des Ereignisses',
    requestId: 'Anfrage-ID',
    payload: 'Inhalt',
    copyPayload: 'Inhalt kopieren',
    copyRequestId: 'Anfrage-ID kopieren',
    openBuild: 'Build öffnen',
    openChannel: 'Kanal öffnen',
    openTester: 'Tester öffnen',
  },
  exportDay: 'Tag exportieren',
  exportCsv: 'Als CSV',
  exportJson: 'Als JSON, mit allen Feldern',
  read: { one: '# Ereignis gelesen', other: '# Ereignisse gelesen' },
  nothing: {
    heading: 'Nichts an diesem Tag',
    text: 'Tage beginnen und enden in UTC.',
    filtered: 'Kein Ereignis dieses Tages hat alle diese Eigenschaften. Tage beginnen und enden in UTC.',
    goTo: (day) => `Zum ${day}`,
  },
  refused: {
    heading: 'Sie dürfen das Audit-Protokoll nicht lesen',
    text: (reason) => `${reason}. Wenden Sie sich an eine Person mit der Rolle „Administration“.`,
  },
  events,
};
