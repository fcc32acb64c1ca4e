import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingModule } from '#modules/billing';
import { InstallLinksModule } from '#modules/install-links';
import { ProjectsModule } from '#modules/projects';
import { ChannelsErasure } from './channels.account-data';
import { ChannelsController } from './channels.controller';
import { ChannelEntity, ChannelsRepository } from './channels.repository';
import { ChannelsService } from './channels.service';

@Module({
  imports: [TypeOrmModule.forFeature([ChannelEntity]), BillingModule, InstallLinksModule, ProjectsModule],
  controllers: [ChannelsController],
  providers: [ChannelsErasure, ChannelsRepository, ChannelsService],
  exports: [ChannelsErasure, ChannelsService],
})
export class ChannelsModule {}
