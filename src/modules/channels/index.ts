export { type Channel, type ChannelWithUrl } from './channel';
export { CHANNELS_FILES, ChannelsErasure } from './channels.account-data';
export { ChannelsModule } from './channels.module';
export { ChannelsService } from './channels.service';
