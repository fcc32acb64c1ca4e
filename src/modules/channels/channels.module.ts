import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingModule } from '#modules/billing';
import { InstallLinksModule } from '#modules/install-links';
import { ProjectsModule } from '#modules/projects';
import { BranchChannelsController } from './branch-channels/branch-channels.controller';
import { BranchChannelEntity, BranchChannelsRepository } from './branch-channels/branch-channels.repository';
import { BranchChannelsService } from './branch-channels/branch-channels.service';
import { ChannelsErasure } from './channels.account-data';
import { ChannelsController } from './channels.controller';
import { ChannelEntity, ChannelsRepository } from './channels.repository';
import { ChannelsService } from './channels.service';

@Module({
  imports: [
    TypeOrmModule.forFeature([BranchChannelEntity, ChannelEntity]),
    BillingModule,
    InstallLinksModule,
    ProjectsModule,
  ],
  controllers: [BranchChannelsController, ChannelsController],
  providers: [BranchChannelsRepository, BranchChannelsService, ChannelsErasure, ChannelsRepository, ChannelsService],
  exports: [BranchChannelsService, ChannelsErasure, ChannelsService],
})
export class ChannelsModule {}
