import { type Words } from '../words';

export const access: Words['access'] = {
  heading: 'Zugriff',
  detail: 'Wer was in diesem Projekt darf. Wer zwei Rollen hat, für den gilt die höhere.',
  add: 'Mitglied hinzufügen',
  member: 'Mitglied',
  role: 'Rolle',
  everybody:
    'Jedes Mitglied der Organisation hat hier schon eine Rolle. Laden Sie zuerst jemanden in die Organisation ein.',
  toMembers: 'Zu den Mitgliedern',
  added: (name, role) => `${name} hat jetzt die Rolle ${role}.`,
  actions: (name) => `Aktionen für ${name}`,
  change: 'Rolle ändern',
  changeTitle: (name) => `Rolle von ${name} ändern`,
  save: 'Rolle speichern',
  removeTitle: (name) => `${name} aus diesem Projekt entfernen?`,
  removeText: 'Die eigene Rolle hier endet. Projekt-Tokens, die diese Person kennt, gelten weiter.',
  staysText: (role) => `Durch die Rolle in der Organisation bleibt die Rolle ${role}.`,
  removeConfirm: 'Aus dem Projekt entfernen',
  removed: (name) => `${name} wurde aus dem Projekt entfernt.`,
  you: 'Sie',
  columns: { member: 'Mitglied', own: 'Eigene Rolle', inherited: 'Aus der Organisation', actions: 'Aktionen' },
  applies: 'gilt',
  count: { one: '# Mitglied', other: '# Mitglieder' },
  empty: {
    heading: 'Niemand hat hier eine Rolle',
    text: 'Fügen Sie Mitglieder der Organisation hinzu, und wählen Sie, was sie dürfen.',
  },
  meanings: {
    VIEW_PROJECT: 'Sieht Builds, Kanäle und Tester. Ändert nichts.',
    DOWNLOAD_BUILD: 'Lädt auch Builds herunter und sieht ihre Installationslinks.',
    UPLOAD_BUILD: 'Lädt auch Builds hoch und verwaltet Tokens. Die übliche Rolle für CI.',
    MANAGE_TESTERS: 'Fügt auch Tester hinzu, lädt sie ein und löscht sie.',
    MANAGE_RELEASES: 'Gibt auch frei, zieht zurück und verwaltet Kanäle.',
    MANAGE_PROJECT: 'Ändert auch das Projekt und den Zugriff darauf.',
  },
};
