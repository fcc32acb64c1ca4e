import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingModule } from '#modules/billing';
import { InstallLinksModule } from '#modules/install-links';
import { ProjectFactsService, ProjectsModule } from '#modules/projects';
import { ChannelEntity, ChannelsRepository } from './channels.repository';
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
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly projects: ProjectFactsService,
  ) {}

  onModuleInit(): void {
    this.projects.facts.add(async (ctx, organizationId, ids) => {
      const names = await this.channels.listNames(ctx, organizationId, ids);
      return new Map(ids.map((id) => [id, { channels: names.filter(({ projectId }) => projectId === id) }]));
    });
  }
}
