/** The names of the roles, as screens and reasons show them. */
export const roles = {
  MEMBER: 'Member',
  READ: 'Read',
  AUDITOR: 'Auditor',
  BILLING: 'Billing',
  MANAGER: 'Manager',
  ADMIN: 'Admin',
  VIEW_PROJECT: 'View project',
  DOWNLOAD_BUILD: 'Download builds',
  UPLOAD_BUILD: 'Upload builds',
  MANAGE_TESTERS: 'Manage testers',
  MANAGE_RELEASES: 'Manage releases',
  MANAGE_PROJECT: 'Manage project',
};
