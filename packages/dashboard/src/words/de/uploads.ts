import { type Words } from '../words';

const refusals: Words['uploads']['refusals'] = {
  folder: {
    title: 'Das ist ein Ordner.',
    remedy: 'Ziehen Sie die Datei darin hierher. Ein .app-Ordner für macOS gehört zuerst in eine .zip oder .dmg.',
  },
  empty_file: {
    title: 'Diese Datei ist leer.',
    remedy: 'Bauen Sie die App erneut und laden Sie die vollständige Datei hoch.',
  },
  file_unreadable: {
    title: 'Die Datei wurde während der Übertragung geändert, verschoben oder gelöscht.',
    remedy: 'Wählen Sie die Datei erneut, um sie von Anfang an hochzuladen.',
  },
  not_an_archive: {
    title: 'Diese Datei ist beschädigt oder etwas anderes, als ihr Name sagt.',
    remedy: 'Bauen oder kopieren Sie die App erneut und laden Sie die neue Datei hoch.',
  },
  corrupt_archive: {
    title: 'Diese Datei ist beschädigt.',
    remedy:
      'Wahrscheinlich wurde sie nicht vollständig kopiert. Bauen oder kopieren Sie sie erneut und laden Sie die neue Datei hoch.',
  },
  unreadable: {
    title: 'Diese Datei kann nicht als App gelesen werden.',
    remedy: 'Bauen oder kopieren Sie sie erneut und laden Sie die neue Datei hoch.',
  },
  corrupt_info_plist: {
    title: 'Die Info.plist der App kann nicht gelesen werden.',
    remedy: 'Bauen Sie die App erneut und laden Sie die neue Datei hoch.',
  },
  corrupt_manifest: {
    title: 'Die AndroidManifest.xml der App kann nicht gelesen werden.',
    remedy: 'Bauen Sie die App erneut und laden Sie die neue Datei hoch.',
  },
  no_app: {
    title: 'Diese Datei enthält keine App.',
    remedy: 'Laden Sie die .ipa-, .apk- oder .aab-Datei Ihres Builds hoch.',
  },
  several_apps: {
    title: 'Diese Datei enthält mehr als eine App.',
    remedy: 'Laden Sie die Apps einzeln hoch.',
  },
  split_apk: {
    title: 'Diese .apk ist nur ein Teil einer App.',
    remedy: 'Laden Sie die universelle .apk oder die .aab der App hoch.',
  },
  wrapped_app: {
    title: 'Die App liegt in einem Unterordner dieser Datei.',
    remedy: 'Packen Sie den Ordner Payload selbst ein, nicht den Ordner darum herum.',
  },
  wrong_type: {
    title: 'Der Inhalt passt nicht zum Namen dieser Datei.',
    remedy: 'Geben Sie der Datei die richtige Endung oder laden Sie die richtige Datei hoch.',
  },
  unsupported_type: {
    title: 'Dateien dieser Art können nicht verteilt werden.',
    remedy: 'Laden Sie ein Paket hoch, das Geräte installieren können, zum Beispiel .ipa, .apk, .dmg oder .msi.',
  },
  invalid_bundle_id: {
    title: 'Die Bundle-ID der App fehlt oder ist ungültig.',
    remedy: 'Korrigieren Sie sie im Projekt der App und bauen Sie erneut.',
  },
  platform_mismatch: {
    title: 'Diese Datei ist für eine andere Plattform.',
    remedy: 'Wählen Sie die Plattform, für die die Datei ist, und versuchen Sie es erneut.',
  },
  platform_required: {
    title: 'Diese Datei enthält ihre Plattform nicht.',
    remedy: 'Wählen Sie die Plattform und versuchen Sie es erneut.',
  },
  version_required: {
    title: 'Diese Datei enthält ihre Version nicht.',
    remedy: 'Geben Sie die Version ein und versuchen Sie es erneut.',
  },
  encrypted_archive: {
    title: 'Diese Datei ist durch ein Passwort geschützt.',
    remedy: 'Laden Sie sie ohne Passwort hoch.',
  },
  unsupported_compression: {
    title: 'Diese Datei ist so komprimiert, dass Geräte sie nicht lesen können.',
    remedy: 'Komprimieren Sie sie mit Deflate, wie zip es von sich aus tut.',
  },
  duplicate_entry: {
    title: 'Dieses Archiv enthält dieselbe Datei zweimal.',
    remedy: 'Entfernen Sie eine davon und bauen Sie erneut.',
  },
  unsafe_path: {
    title: 'Ein Pfad in diesem Archiv führt aus ihm hinaus.',
    remedy: 'Entfernen Sie diesen Eintrag oder symbolischen Link und bauen Sie erneut.',
  },
  archive_too_large: {
    title: 'Diese App ist ausgepackt größer als 4 GB.',
    remedy: 'Entfernen Sie Dateien und bauen Sie erneut.',
  },
  compression_bomb: {
    title: 'Diese Datei enthält ausgepackt weit mehr Daten als eine App.',
    remedy: 'Entfernen Sie die zu großen Dateien und bauen Sie erneut.',
  },
  entry_too_large: {
    title: 'Eine Datei, die die App beschreibt, ist zu groß.',
    remedy: 'Prüfen Sie den Inhalt der App und bauen Sie erneut.',
  },
  too_many_entries: {
    title: 'Diese Datei enthält zu viele Dateien für eine App.',
    remedy: 'Entfernen Sie Dateien und bauen Sie erneut.',
  },
  too_complex: {
    title: 'Es dauert zu lange, diese Datei zu lesen.',
    remedy: 'Prüfen Sie den Inhalt der App und bauen Sie erneut.',
  },
  parts_mismatch: {
    title: 'Die angekommenen Teile passen nicht zur Datei.',
    remedy: 'Versuchen Sie es erneut, um sie noch einmal zu senden.',
  },
  sha256_mismatch: {
    title: 'Angekommen ist eine andere Datei als die gesendete.',
    remedy: 'Laden Sie die Datei erneut hoch.',
  },
  quota_exceeded: {
    title: 'Dieses Projekt hat zu viele unfertige Uploads.',
    remedy: 'Verwerfen Sie einen oder lassen Sie ihn fertig werden und versuchen Sie es erneut.',
  },
  rate_limit_exceeded: {
    title: 'Im Moment gibt es zu viele Uploads.',
    remedy: 'Warten Sie eine Minute und versuchen Sie es erneut.',
  },
  storage_backend_unavailable: {
    title: 'Der Speicher für Builds ist nicht erreichbar.',
    remedy: 'Was angekommen ist, bleibt erhalten. Versuchen Sie es in einigen Minuten erneut.',
  },
  network_error: {
    title: 'Der Dienst ist nicht erreichbar.',
    remedy: 'Was angekommen ist, bleibt erhalten. Prüfen Sie die Netzwerkverbindung und versuchen Sie es erneut.',
  },
  internal_error: {
    title: 'Der Dienst konnte diesen Upload nicht verarbeiten.',
    remedy: 'Was angekommen ist, bleibt erhalten. Versuchen Sie es in einigen Minuten erneut.',
  },
  unauthorized: {
    title: 'Ihre Sitzung ist beendet.',
    remedy: 'Was angekommen ist, bleibt erhalten. Melden Sie sich an und versuchen Sie es erneut.',
  },
  insufficient_role: {
    title: 'Ihre Rolle erlaubt keine Uploads in dieses Projekt.',
    remedy: 'Bitten Sie die Administration der Organisation um die Rolle „Builds hochladen“.',
  },
  email_not_verified: {
    title: 'Ihre E-Mail-Adresse ist nicht bestätigt.',
    remedy: 'Öffnen Sie den Link, den wir Ihnen gesendet haben, und versuchen Sie es erneut.',
  },
  not_found: {
    title: 'Dieser Upload oder sein Projekt existiert nicht mehr.',
    remedy: 'Versuchen Sie es erneut, um die Datei von Anfang an hochzuladen.',
  },
  unexpected: {
    title: 'Der Upload wurde durch einen Fehler dieser Seite unterbrochen.',
    remedy: 'Laden Sie die Seite neu und setzen Sie den Upload fort.',
  },
};

export const uploads: Words['uploads'] = {
  heading: 'Uploads',
  count: (done, all) => `${done} von ${all}`,
  show: 'Uploads anzeigen',
  hide: 'Uploads ausblenden',
  notify: 'Bei Abschluss benachrichtigen',
  isUploaded: (name) => `${name} wurde hochgeladen.`,
  hasFailed: (name) => `${name} wurde nicht hochgeladen.`,
  dropHere: 'Zum Hochladen ablegen',
  dropText: 'Eine .ipa, .apk, .aab oder ein anderes Paket',
  dropZone: 'Legen Sie eine .ipa, .apk oder .aab hier ab',
  openProjectFirst: 'Öffnen Sie zuerst das Projekt, zu dem der Build gehört.',
  routing: {
    title: 'Welches Projekt?',
    upload: 'Hochladen',
    choose: 'Projekt wählen',
    create: (name) => `${name} anlegen`,
    known: (bundleId) => `Die App ist ${bundleId}.`,
    first: (bundleId) => `Noch kein Projekt enthält ${bundleId}.`,
    unknown: 'Die Datei sagt nicht, welche App sie ist.',
  },
  chooseFile: 'Datei wählen',
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  discard: 'Verwerfen',
  discardTitle: (name) => `${name} verwerfen?`,
  discardText: 'Was angekommen ist, wird gelöscht.',
  discardUpload: 'Upload verwerfen',
  retry: 'Erneut versuchen',
  close: 'Schließen',
  notes: 'Was zu testen ist',
  saveNotes: 'Notizen speichern',
  channel: 'Freigeben in',
  noChannel: 'Kein Kanal',
  noChannels: 'Dieses Projekt hat noch keine Kanäle.',
  version: 'Version',
  platform: 'Plattform',
  choosePlatform: 'Wählen',
  platforms: { ios: 'iOS', android: 'Android', macos: 'macOS', windows: 'Windows', linux: 'Linux' },
  detailsNeeded: 'Diese Art von Datei enthält ihre Version und Plattform nicht.',
  start: 'Upload starten',
  starting: 'Wird gestartet…',
  sent: (sent, size) => `${sent} von ${size}`,
  speed: (perSecond, left) => `${perSecond}/s · noch ${left}`,
  paused: 'Angehalten',
  offline: 'Wartet auf das Netzwerk',
  reading: 'Die App wird gelesen…',
  uploaded: (version) => `Hochgeladen als ${version}`,
  warnings: { one: '# Warnung', other: '# Warnungen' },
  openBuild: 'Build öffnen',
  copyLink: 'Installationslink kopieren',
  promote: 'Freigeben',
  promotedTo: (channel) => `Freigegeben in ${channel}`,
  notesFailed: 'Der Build ist da, aber seine Notizen konnten nicht gespeichert werden.',
  promotionFailed: 'Der Build ist da, wurde aber nicht freigegeben.',
  unfinished: 'Unfertige Uploads',
  continue: 'Fortsetzen',
  continueFile: (name) => `${name} fortsetzen`,
  arrived: (sent, size) => `${sent} von ${size} angekommen`,
  otherFile: 'Das ist eine andere Datei.',
  chooseSame: (name, size, time) =>
    `Wählen Sie ${name} mit ${size}, zuletzt geändert am ${time}. Es wurde nichts gesendet.`,
  refusals,
  tooLarge: (size, max) => ({
    title: `Diese Datei hat ${size}; höchstens ${max} werden angenommen.`,
    remedy: 'Verkleinern Sie die App. Der Betreiber des Dienstes kann die Grenze erhöhen.',
  }),
  otherBundleId: (found, expected) => ({
    title: `Das ist eine andere App: Ihre Bundle-ID ist ${found}.`,
    remedy: `Dieses Projekt enthält ${expected}. Laden Sie die Datei in das Projekt ihrer App hoch oder legen Sie eines an.`,
  }),
  noCredit: (required, available) => ({
    title: 'Das Guthaben der Organisation reicht für diesen Upload nicht aus.',
    remedy: `Er kostet ${required}; verfügbar sind ${available}. Laden Sie Guthaben auf und versuchen Sie es erneut.`,
  }),
  capReached: (required, available) => ({
    title: 'Dieser Upload würde die Ausgabengrenze der Organisation überschreiten.',
    remedy: `Er kostet ${required}; verfügbar sind in diesem Monat ${available}. Erhöhen Sie die Grenze und versuchen Sie es erneut.`,
  }),
  addCredit: 'Guthaben aufladen',
  raiseCap: 'Grenze erhöhen',
};
