export { OrganizationResponse } from './organizations.dto';
export { InvitationsService } from './invitations/invitations.service';
export { type LeftToken, type MemberRemoval } from './members/member-removal';
export { MembersService } from './members/members.service';
export { OrganizationContactsService } from './members/organization-contacts.service';
export { ORGANIZATIONS_FILES, OrganizationsErasure } from './organizations.account-data';
export { OrganizationsModule } from './organizations.module';
export { toOrganizationResponse } from './organizations.mapper';
export { type Organization, OrganizationsService, type OrganizationSummary } from './organizations.service';
