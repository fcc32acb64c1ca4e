import { Module } from '@nestjs/common';
import { ChannelsModule } from '#modules/channels';
import { DevicesModule } from '#modules/devices';
import { OrganizationsModule } from '#modules/organizations';
import { ProjectsModule } from '#modules/projects';
import { TestersModule } from '#modules/testers';
import { TokensModule } from '#modules/tokens';
import { UploadsModule } from '#modules/uploads';
import { OrganizationQuotasController } from './organization-quotas.controller';
import { ProjectQuotasController } from './project-quotas.controller';
import { QuotasService } from './quotas.service';

@Module({
  imports: [
    ChannelsModule,
    DevicesModule,
    OrganizationsModule,
    ProjectsModule,
    TestersModule,
    TokensModule,
    UploadsModule,
  ],
  controllers: [OrganizationQuotasController, ProjectQuotasController],
  providers: [QuotasService],
})
export class QuotasModule {}
