import { type Words } from '../words';

export const trash: Words['trash'] = {
  heading: 'Papierkorb',
  list: 'Gelöschte Builds',
  builds: 'Builds',
  detail: 'Gelöschte Builds lassen sich sieben Tage lang wiederherstellen, mit ihren Links.',
  count: { one: '# Build', other: '# Builds' },
  columns: {
    build: 'Build',
    branch: 'Branch',
    deleted: 'Gelöscht',
    frees: 'Datei wird gelöscht',
    size: 'Größe',
    actions: 'Aktionen',
  },
  by: (name) => `von ${name}`,
  byRetention: 'von einer Regel',
  cost: (size, money) =>
    money === null
      ? `Die Dateien belegen ${size}.`
      : `Die Dateien belegen ${size}. Sie zu speichern, bis sie gelöscht werden, kostet höchstens ${money}.`,
  costLoaded: (count, size, money) =>
    money === null
      ? `Die ${count} gezeigten Builds belegen ${size}.`
      : `Die ${count} gezeigten Builds belegen ${size}. Sie zu speichern, bis ihre Dateien gelöscht werden, kostet höchstens ${money}.`,
  select: (version) => `${version} auswählen`,
  selectAll: 'Alle Builds auswählen',
  selection: 'Auswahl',
  selected: { one: '# ausgewählt', other: '# ausgewählt' },
  clear: 'Auswahl aufheben',
  actionsOf: (version) => `Aktionen für ${version}`,
  until: (time) => `Dieser Build ist bis ${time} im Papierkorb.`,
  restore: 'Wiederherstellen',
  restored: {
    one: '# Build wurde mit seinen Links wiederhergestellt.',
    other: '# Builds wurden mit ihren Links wiederhergestellt.',
  },
  notRestored: 'Der Build ist nicht mehr im Papierkorb.',
  purge: 'Endgültig löschen',
  purgeTitle: { one: '# Build endgültig löschen?', other: '# Builds endgültig löschen?' },
  purgeText:
    'Die Dateien werden jetzt gelöscht, mit allen Daten zu den Builds. Das lässt sich nicht rückgängig machen.',
  purged: { one: '# Build wurde endgültig gelöscht.', other: '# Builds wurden endgültig gelöscht.' },
  empty: {
    heading: 'Der Papierkorb ist leer',
    text: 'Gelöschte Builds bleiben sieben Tage hier. Stellt man einen wieder her, kommen Links, Downloads und Freigaben zurück.',
    builds: 'Zu den Builds',
  },
};
