import { type Words } from '../words';

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
  MANAGE_RELEASES: 'Veröffentlichungen verwalten',
  MANAGE_PROJECT: 'Projekt verwalten',
};
