export { type Channel, type ChannelRelations, type ChannelWithUrl, type CurrentBuild } from './channel';
export { ChannelRelationsService, ChannelsService } from './channels.service';
export { CHANNELS_FILES, ChannelsErasure } from './channels.account-data';
export { ChannelsModule } from './channels.module';
