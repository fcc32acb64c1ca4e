import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingModule } from '#modules/billing';
import { InstallLinksModule } from '#modules/install-links';
import { type ProjectChannel, ProjectFactsService, ProjectsModule } from '#modules/projects';
import { ChannelEntity, CHANNELS_OF_PROJECT, ChannelsRepository } from './channels.repository';
import { ChannelRelationsService, ChannelsService } from './channels.service';
import { ChannelsErasure } from './channels.account-data';
import { ChannelsController } from './channels.controller';

@Module({
  imports: [TypeOrmModule.forFeature([ChannelEntity]), BillingModule, InstallLinksModule, ProjectsModule],
  controllers: [ChannelsController],
  providers: [ChannelRelationsService, ChannelsErasure, ChannelsRepository, ChannelsService],
  exports: [ChannelRelationsService, ChannelsErasure, ChannelsService],
})
export class ChannelsModule implements OnModuleInit {
  constructor(private readonly projects: ProjectFactsService) {}

  onModuleInit(): void {
    this.projects.addFacts({
      sql: CHANNELS_OF_PROJECT,
      toFields: (channels: readonly ProjectChannel[] | null) => ({ channels: channels ?? [] }),
    });
  }
}
