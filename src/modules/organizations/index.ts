export { MembersService } from './members/members.service';
export { OrganizationsModule } from './organizations.module';
export { OrganizationsService } from './organizations.service';
