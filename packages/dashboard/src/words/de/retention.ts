import { type Words } from '../words';

export const retention: Words['retention'] = {
  heading: 'Aufbewahrung',
  detail: 'Welche Builds des Projekts von selbst gelöscht werden.',
  rules: 'Regeln',
  mode: 'Alte Builds',
  off: 'Alle Builds behalten',
  offHint: 'Keine Regel löscht je etwas. So beginnt jedes Projekt.',
  on: 'Alte Builds nach Regeln löschen',
  onHint:
    'Sieben Tage vorher bekommen die Verwalter eine Mail. Danach liegt ein Build weitere sieben Tage im Papierkorb und lässt sich wiederherstellen.',
  rule: (number) => `Regel ${number}`,
  removeRule: (number) => `Regel ${number} entfernen`,
  addRule: 'Regel hinzufügen',
  tooMany: 'Ein Projekt hat höchstens zehn Regeln',
  empty: 'Lassen Sie eine Zahl leer, um ihre Zeile wegzulassen.',
  newest: { label: 'Anzahl der neuesten Builds', before: 'Behalten: die neuesten', after: 'Builds' },
  per: {
    label: 'Gezählt',
    options: { project: 'insgesamt', platform: 'jeder Plattform', branch: 'jedes Branches' },
  },
  days: { label: 'Alter in Tagen', before: 'und alle der letzten', after: 'Tage,' },
  about: {
    label: 'Branches der Regel',
    before: 'auf',
    all: 'allen Branches',
    some: 'diesen Branches:',
    patterns: 'Muster von Branches',
    hint: 'Durch Kommas getrennt. * steht für beliebige Zeichen außer /, ** für beliebige Zeichen.',
  },
  sentence: (branches, kept) =>
    branches === null ? `Behalten werden ${kept}.` : `Von den Builds aus ${branches} werden ${kept} behalten.`,
  kept: {
    project: { one: 'der neueste Build', other: 'die neuesten # Builds' },
    platform: { one: 'der neueste Build jeder Plattform', other: 'die neuesten # Builds jeder Plattform' },
    branch: { one: 'der neueste Build jedes Branches', other: 'die neuesten # Builds jedes Branches' },
    days: { one: 'Builds der letzten 24 Stunden', other: 'Builds der letzten # Tage' },
  },
  allOthers: 'Die anderen gehen, wenn sie nicht geschützt sind.',
  several:
    'Ein Build, für den mehrere Regeln gelten, geht erst, wenn jede ihn gehen lässt. Ein Build, für den keine Regel gilt, bleibt.',
  incomplete: 'Die Regel ist noch nicht vollständig.',
  unsaved: 'Noch nicht gespeichert. Was Sie geändert haben, bleibt hier, bis Sie es speichern oder verwerfen.',
  discard: 'Änderungen verwerfen',
  save: 'Regeln speichern',
  saveOff: 'Änderungen speichern',
  waiting: 'Die Builds werden noch gezählt',
  saved: 'Die Regeln wurden gespeichert.',
  savedOff: 'Gespeichert: Regeln löschen nichts.',
  reasons: {
    preview_required:
      'Für diese Regeln war noch nichts gezählt. Jetzt ist es gezählt: Sehen Sie die Builds an, und speichern Sie noch einmal.',
    preview_expired:
      'Die Zählung war über eine Stunde alt. Die Builds wurden neu gezählt: Sehen Sie sie an, und speichern Sie noch einmal.',
    rule_without_condition: 'Eine Regel behält nichts. Geben Sie eine Zahl von Builds oder von Tagen ein.',
  },
  preview: {
    heading: 'Was die Regeln löschen',
    now: {
      one: 'Mit diesen Regeln würde jetzt # Build gehen.',
      other: 'Mit diesen Regeln würden jetzt # Builds gehen.',
    },
    nothing: 'Mit diesen Regeln würde jetzt kein Build gehen.',
    off: 'Nichts. Alle Builds bleiben, bis ein Mensch sie löscht.',
    incomplete: 'Vervollständigen Sie die Regeln, um zu sehen, welche Builds sie löschen.',
  },
  protected: {
    heading: 'Nie von Regeln gelöscht',
    items: [
      'Builds, die in einem Kanal aktuell sind',
      'angeheftete Builds',
      'der neueste Build jeder Plattform',
      'Builds, die in den letzten 24 Stunden hochgeladen wurden',
      'Builds, die in den letzten 14 Tagen heruntergeladen wurden',
      'Builds mit einem weiteren Link, der nicht abgelaufen ist',
    ],
  },
  ask: {
    title: { one: '# Build nach diesen Regeln löschen?', other: '# Builds nach diesen Regeln löschen?' },
    titleNone: 'Diese Regeln speichern?',
    text: 'Sie werden jetzt angekündigt und kommen in sieben Tagen in den Papierkorb. Builds, die später unter die Regeln fallen, werden dann angekündigt.',
    textNone:
      'Jetzt geht kein Build. Builds, die später unter die Regeln fallen, werden sieben Tage vorher angekündigt.',
    figures: (size, money) =>
      money === null ? `Ihre Dateien belegen ${size}.` : `Ihre Dateien belegen ${size}, das kostet ${money} pro Monat.`,
    replaced: { one: 'Sie ersetzen die jetzige Regel.', other: 'Sie ersetzen die # jetzigen Regeln.' },
  },
};
