export { type Channel, type ChannelWithUrl } from './channel';
export { ChannelsModule } from './channels.module';
export { ChannelsService } from './channels.service';
