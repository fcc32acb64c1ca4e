export { type BuildInvite, type ChannelInvite, type Invite, type TesterInvite } from './invite';
export { InvitesModule } from './invites.module';
export { InvitesService } from './invites.service';
