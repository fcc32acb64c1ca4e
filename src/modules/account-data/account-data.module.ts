import { Module } from '@nestjs/common';
import { type AccountErasure } from '#kernel/account-data';
import { BillingModule } from '#modules/billing';
import { BuildsModule } from '#modules/builds';
import { ChannelsModule } from '#modules/channels';
import { DevelopersModule } from '#modules/developers';
import { OrganizationsModule } from '#modules/organizations';
import { ProjectsModule } from '#modules/projects';
import { StorageModule } from '#modules/storage';
import { TestersModule } from '#modules/testers';
import { TokensModule } from '#modules/tokens';
import { RateLimitModule } from '#infra/rate-limit/rate-limit.module';
import { AccountErasures, ERASURE_ORDER } from './account-erasures';
import { DeveloperErasureService } from './developer-erasure.service';
import { ExportService } from './export.service';
import { OrganizationErasureService } from './organization-erasure.service';
import { SubjectsService } from './subjects.service';

@Module({
  imports: [
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
  ],
  providers: [
    {
      provide: AccountErasures,
      inject: [...ERASURE_ORDER],
      useFactory: (...parts: AccountErasure[]) => new AccountErasures(parts),
    },
    DeveloperErasureService,
    ExportService,
    OrganizationErasureService,
    SubjectsService,
  ],
  exports: [DeveloperErasureService, ExportService, OrganizationErasureService, SubjectsService],
})
export class AccountDataModule {}
