import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { type AccountErasure } from '#kernel/account-data';
import { RateLimitModule } from '#infra/rate-limit/rate-limit.module';
import { BillingModule } from '#modules/billing';
import { BuildsModule } from '#modules/builds';
import { ChannelsModule } from '#modules/channels';
import { DevelopersModule } from '#modules/developers';
import { OrganizationsModule } from '#modules/organizations';
import { ProjectsModule } from '#modules/projects';
import { StorageModule } from '#modules/storage';
import { TestersModule } from '#modules/testers';
import { TokensModule } from '#modules/tokens';
import { UploadsModule } from '#modules/uploads';
import { WebhooksModule } from '#modules/webhooks';
import { AccountErasures, ERASURE_ORDER } from './account-erasures';
import { DeveloperErasureService } from './developer-erasure.service';
import { ExportService } from './export.service';
import { ExportedRows } from './exported-rows';
import { DataExportArchives, DataExportLinks } from './exports/data-export-archives';
import { DataExportJobService } from './exports/data-export-job.service';
import { DataExportMailsService } from './exports/data-export-mails.service';
import { DataExportParts } from './exports/data-export-parts';
import { DataExportsErasure } from './exports/data-exports.account-data';
import { DataExportEntity, DataExportsRepository } from './exports/data-exports.repository';
import { DataExportsService } from './exports/data-exports.service';
import { DeveloperExportsController } from './exports/developer-exports.controller';
import { ExportDownloadsController } from './exports/export-downloads.controller';
import { OrganizationExportsController } from './exports/organization-exports.controller';
import { OrganizationErasureService } from './organization-erasure.service';
import { SubjectsService } from './subjects.service';

@Module({
  imports: [
    TypeOrmModule.forFeature([DataExportEntity]),
    BillingModule,
    BuildsModule,
    ChannelsModule,
    DevelopersModule,
    OrganizationsModule,
    ProjectsModule,
    RateLimitModule,
    StorageModule,
    TestersModule,
    TokensModule,
    UploadsModule,
    WebhooksModule,
  ],
  controllers: [DeveloperExportsController, OrganizationExportsController, ExportDownloadsController],
  providers: [
    {
      provide: AccountErasures,
      inject: [...ERASURE_ORDER],
      useFactory: (...parts: AccountErasure[]) => new AccountErasures(parts),
    },
    DataExportArchives,
    DataExportJobService,
    DataExportLinks,
    DataExportMailsService,
    DataExportParts,
    DataExportsErasure,
    DataExportsRepository,
    DataExportsService,
    DeveloperErasureService,
    ExportedRows,
    ExportService,
    OrganizationErasureService,
    SubjectsService,
  ],
  exports: [DeveloperErasureService, ExportService, OrganizationErasureService, SubjectsService],
})
export class AccountDataModule {}
