export { type Channel, type LinkedChannel } from './channel';
export { ChannelsModule } from './channels.module';
export { ChannelsService } from './channels.service';
