export { InvitesModule } from './invites.module';
export { type Invite, InvitesService } from './invites.service';
