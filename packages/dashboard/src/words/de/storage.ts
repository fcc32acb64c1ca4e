import { type ByosaCheckName, type ByosaCheckReason } from '@agate/client';
import { type Words } from '../words';

const REMEDIES: Readonly<Record<ByosaCheckReason, string>> = {
  unresolved:
    'Der Hostname des Endpunkts wurde nicht gefunden oder führt zu einer Adresse, die nicht öffentlich ist. Prüfen Sie Schreibweise und DNS-Eintrag und verwenden Sie eine öffentliche Adresse.',
  not_public: 'Die Adresse des Endpunkts ist nicht öffentlich. Verwenden Sie eine öffentliche Adresse.',
  not_https: 'Der Endpunkt verwendet kein https. Verwenden Sie eine https-Adresse.',
  unreachable:
    'Unter dieser Adresse hat innerhalb weniger Sekunden kein Objektspeicher über TLS geantwortet. Prüfen Sie Host, Port, Zertifikat und Firewall.',
  connection:
    'Der Speicher hat die Verbindung abgebrochen. Wiederholen Sie die Prüfungen. Geschieht es wieder, prüfen Sie Load-Balancer und Firewall.',
  tls: 'Die TLS-Verbindung zum Speicher ist fehlgeschlagen. Verwenden Sie ein gültiges Zertifikat, das diesen Host nennt.',
  timeout:
    'Der Speicher hat nicht rechtzeitig geantwortet. Wiederholen Sie die Prüfungen. Geschieht es wieder, wenden Sie sich an den Betreiber des Speichers.',
  clock:
    'Die Uhren des Speichers und dieses Dienstes weichen zu stark voneinander ab. Stellen Sie die Uhr des Speichers.',
  credentials:
    'Der Speicher lehnt diese Zugangsdaten ab: Ein Schlüssel ist falsch, abgelaufen oder widerrufen. Erstellen Sie einen neuen.',
  unknown_key:
    'Der Speicher kennt diesen Zugriffsschlüssel nicht: Er ist falsch geschrieben, abgelaufen oder widerrufen. Erstellen Sie einen neuen.',
  expired_key: 'Dieser Zugriffsschlüssel ist abgelaufen. Erstellen Sie einen neuen.',
  wrong_secret:
    'Der geheime Schlüssel passt nicht zum Zugriffsschlüssel. Kopieren Sie ihn noch einmal vollständig oder erstellen Sie einen neuen.',
  permission: 'Die Zugangsdaten sind gültig, erlauben das aber nicht.',
  container: 'Den Bucket oder Container gibt es nicht. Legen Sie ihn an oder prüfen Sie Name und Region.',
  full: 'Der Speicher ist voll oder über seinem Kontingent. Schaffen Sie Platz oder erhöhen Sie das Kontingent.',
  failing:
    'Der Speicher hat mit einem Fehler geantwortet. Wiederholen Sie die Prüfungen. Geschieht es wieder, wenden Sie sich an den Betreiber des Speichers.',
  changed_bytes:
    'Der Speicher hat andere Bytes zurückgegeben, als geschrieben wurden. Suchen Sie einen Proxy oder ein Gateway, das Objekte verändert.',
  not_deleted: 'Ein gelöschtes Objekt ist noch da. Schalten Sie Objektsperre und Aufbewahrung ab.',
  no_signed_urls: 'Dieser Speicher kann keine signierten Adressen erstellen. Verwenden Sie einen, der es kann.',
  signed_url_rejected:
    'Der Speicher hat eine signierte Adresse abgelehnt. Erlauben Sie das Lesen über signierte Adressen.',
  no_uploads_in_parts:
    'Der Speicher beherrscht das Hochladen in Teilen nicht vollständig (zum Beispiel S3: ListParts), deshalb würden große Uploads scheitern. Verwenden Sie einen, der es kann.',
};

/** The permissions that checks need. */
const PERMISSIONS: Partial<Record<ByosaCheckName, string>> = {
  list: 'Erlauben Sie das Auflisten (S3: s3:ListBucket für den Bucket; Azure: Lesen und Auflisten).',
  write:
    'Erlauben Sie das Schreiben (S3: s3:PutObject und s3:AbortMultipartUpload für die Objekte; Azure: Hinzufügen und Schreiben).',
  read_back: 'Erlauben Sie das Lesen (S3: s3:GetObject für die Objekte; Azure: Lesen).',
  range_read: 'Erlauben Sie das Lesen (S3: s3:GetObject für die Objekte; Azure: Lesen).',
  upload_in_parts:
    'Erlauben Sie das Hochladen in Teilen (S3: s3:PutObject, s3:ListMultipartUploadParts und s3:AbortMultipartUpload für die Objekte; Azure: Lesen, Hinzufügen und Schreiben).',
  delete: 'Erlauben Sie das Löschen (S3: s3:DeleteObject für die Objekte; Azure: Löschen).',
};

export const storage: Words['storage'] = {
  heading: 'Speicher',
  state: 'Zustand',
  states: { none: 'Beim Dienst', configured: 'Eingerichtet', active: 'Aktiv', draining: 'Wird geleert' },
  stateText: {
    none: 'Builds werden vom Dienst gespeichert.',
    configured:
      'Ihr Speicher hat alle Prüfungen bestanden. Noch speichert der Dienst die Builds: Bitten Sie den Betreiber, sie zu Ihrem Speicher zu leiten.',
    active: 'Neue Builds werden in Ihrem Speicher abgelegt. Ihre Nutzung wird nicht berechnet.',
    drainingReceives:
      'Sie haben das Ende verlangt. Builds gehen in Ihren Speicher, bis ein Betreiber des Dienstes zurückgeschaltet hat. Er muss erreichbar bleiben.',
    draining:
      'Builds werden zum Dienst zurückgebracht. Ihr Speicher wird vergessen, sobald keiner mehr darin liegt. Bis dahin muss er erreichbar bleiben.',
  },
  operatorCommand: 'Befehl für den Betreiber',
  copyCommand: 'Befehl kopieren',
  needsPlan: (plan) => `Eigener Speicher braucht den Tarif ${plan}`,
  about:
    'Mit eigenem Speicher liegen Builds in einem Bucket oder Container von Ihnen, und ihre Nutzung wird nicht berechnet. Tester merken davon nichts.',
  seePlans: 'Tarife ansehen',

  setUp: 'Eigenen Speicher einrichten',
  kind: 'Art des Speichers',
  kinds: { s3: 'S3 oder kompatibel', azure: 'Azure Blob Storage' },
  kindHints: { s3: 'Amazon S3, MinIO, Cloudflare R2, Ceph und andere', azure: 'Ein Container eines Speicherkontos' },
  endpoint: 'Endpunkt',
  s3EndpointHint: 'Leer: Amazon S3 in der Region. Sonst eine https-Adresse, die aus dem Internet erreichbar ist.',
  azureEndpointHint: 'Leer: die öffentliche Azure-Cloud.',
  steps: { place: 'Wo Builds gespeichert werden', key: 'Womit der Dienst zugreift' },
  region: 'Region',
  regionHint: 'Zum Beispiel eu-central-1. Speicher ohne Regionen nehmen jede.',
  bucket: 'Bucket',
  bucketHint: 'Er muss bestehen. Verwenden Sie ihn nur für Agate.',
  addressing: 'Bucket in Adressen',
  addressingHint: 'Automatisch passt zu fast jedem Speicher.',
  addressings: { auto: 'Automatisch', path: 'Im Pfad', host: 'Im Hostnamen' },
  accessKeyId: 'Zugriffsschlüssel-ID',
  accessKeyHint: 'Er braucht die Rechte oben.',
  secretAccessKey: 'Geheimer Zugriffsschlüssel',
  accountName: 'Speicherkonto',
  accountNameHint: 'Nur sein Name, nicht seine Adresse.',
  container: 'Container',
  containerHint: 'Er muss bestehen. Verwenden Sie ihn nur für Agate.',
  accountKey: 'Kontoschlüssel',
  secretHint: 'Verschlüsselt gespeichert, nie wieder gezeigt.',
  policy: 'Richtlinie für den Zugriffsschlüssel',
  policyText: 'Welche Rechte der Zugriffsschlüssel braucht',
  copyPolicy: 'Richtlinie kopieren',
  azurePolicyText: 'Ein Kontoschlüssel erlaubt alles in dem Konto: Verwenden Sie ein Konto, das nur für Agate da ist.',
  testAndSave: 'Testen und speichern',
  testing: 'Die Prüfungen schreiben, lesen und löschen ein kleines Objekt. Sie dauern einige Sekunden.',
  saved: 'Alle Prüfungen sind bestanden. Der Speicher ist gespeichert.',
  notSaved: 'Eine Prüfung ist fehlgeschlagen; es wurde nichts gespeichert.',

  checks: 'Prüfungen',
  checkNames: {
    resolve: 'Namen auflösen',
    public_address: 'Öffentliche Adresse',
    reach: 'Erreichen',
    clock_skew: 'Uhr',
    authenticate: 'Anmelden',
    container: 'Bucket oder Container',
    list: 'Auflisten',
    write: 'Schreiben',
    read_back: 'Zurücklesen',
    range_read: 'Teil lesen',
    signed_url: 'Signierte Adresse',
    upload_in_parts: 'Hochladen in Teilen',
    delete: 'Löschen',
  },
  check: (name, status) => `${name}: ${status}`,
  statuses: { passed: 'bestanden', failed: 'fehlgeschlagen', skipped: 'übersprungen' },
  remedy: ({ name, reason, message }) => {
    if (reason === null) return message;
    return [REMEDIES[reason], reason === 'permission' && PERMISSIONS[name]].filter(Boolean).join(' ');
  },
  duration: (milliseconds) => `${milliseconds} ms`,
  allPassed: 'Alle Prüfungen sind bestanden.',
  someFailed: { one: '# Prüfung ist fehlgeschlagen.', other: '# Prüfungen sind fehlgeschlagen.' },
  checksText: 'Die Prüfungen schreiben, lesen und löschen ein kleines Objekt in Ihrem Speicher.',
  runAgain: 'Prüfungen wiederholen',

  place: 'Ihr Speicher',
  since: 'Eingerichtet',
  changed: 'Geändert',
  changeCredentials: 'Zugangsdaten ändern',
  changeText: 'Die Prüfungen laufen mit den neuen Zugangsdaten, bevor diese die alten ersetzen.',
  placeFixed: 'Hier liegen Builds; deshalb können sich nur die Zugangsdaten ändern.',
  stop: 'Eigenen Speicher beenden',
  stopTitle: 'Eigenen Speicher beenden?',
  stopConfigured: 'Einstellungen und Zugangsdaten werden sofort vergessen. Dort liegen keine Builds.',
  stopActive:
    'Ein Betreiber des Dienstes leitet neue Builds dann zurück zum Dienst und bringt die gespeicherten zurück. Bis dahin muss Ihr Speicher erreichbar bleiben. Danach wird die Nutzung berechnet.',
  stopped: 'Ihr Speicher wird nicht mehr verwendet.',
  draining: 'Ihr Speicher wird geleert.',
  isDraining: 'Er wird schon beendet',
};
