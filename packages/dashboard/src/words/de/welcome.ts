import { type Words } from '../words';

export const welcome: Words['welcome'] = {
  heading: 'Willkommen bei Agate',
  steps: 'Schritte',
  step: { organization: 'Organisation', project: 'Projekt', build: 'Erster Build', install: 'Installieren' },
  organization: {
    heading: 'Organisation anlegen',
    text: 'Eine Organisation hat Projekte, Mitglieder und eine Rechnung. Tester sehen ihren Namen.',
    name: 'Name der Organisation',
    create: 'Organisation anlegen',
  },
  project: {
    heading: 'Projekt anlegen',
    text: 'Eines für jede App. Tester sehen seinen Namen.',
    name: 'Name des Projekts',
    create: 'Projekt anlegen',
  },
  ready: {
    heading: 'Ihr erster Build ist bereit',
    text: 'Scannen Sie den Code mit einem Telefon, oder senden Sie den Link an Ihre Tester. Er gilt, bis Sie ihn ersetzen oder den Build löschen.',
    qr: 'QR-Code des Installationslinks',
    copyLink: 'Installationslink kopieren',
    open: 'Build öffnen',
    project: 'Projekt öffnen',
    notInstallable: 'Geräte können diesen Build nicht über seinen Link installieren:',
  },
  invitations: {
    heading: 'Einladungen an Sie',
    text: (organization, by) => `${by} lädt Sie zu ${organization} ein`,
    roles: (roles) => `Rollen: ${roles}`,
    accept: 'Annehmen',
    decline: 'Ablehnen',
    declined: (organization) => `Die Einladung zu ${organization} wurde abgelehnt.`,
    expires: 'Läuft ab',
  },
};
