import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingModule } from '#modules/billing';
import { InstallLinksModule } from '#modules/install-links';
import { ChannelEntity } from './channel.entity';
import { ChannelResponsesService } from './channel-responses.service';
import { ChannelsErasure } from './channels.account-data';
import { ChannelsController } from './channels.controller';
import { ChannelsRepository } from './channels.repository';
import { ChannelsService } from './channels.service';

@Module({
  imports: [TypeOrmModule.forFeature([ChannelEntity]), BillingModule, InstallLinksModule],
  controllers: [ChannelsController],
  providers: [ChannelResponsesService, ChannelsErasure, ChannelsRepository, ChannelsService],
  exports: [ChannelResponsesService, ChannelsErasure, ChannelsService],
})
export class ChannelsModule {}
