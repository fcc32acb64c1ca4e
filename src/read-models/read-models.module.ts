import { Module } from '@nestjs/common';
import { AccountExportsModule } from './account-exports/account-exports.module';
import { AdoptionModule } from './adoption/adoption.module';
import { AuditSubjectsModule } from './audit/audit-subjects.module';
import { BillingFaultsModule } from './billing-faults/billing-faults.module';
import { KnownBlobsModule } from './blobs/known-blobs.module';
import { BuildViewsModule } from './builds/build-views.module';
import { ChannelViewsModule } from './channels/channel-views.module';
import { CredentialViewsModule } from './credentials/credential-views.module';
import { DeviceViewsModule } from './devices/device-views.module';
import { DownloadViewsModule } from './downloads/download-views.module';
import { FunnelModule } from './funnel/funnel.module';
import { PageVersionsModule } from './install-pages/page-versions.module';
import { LinkViewsModule } from './links/link-views.module';
import { ProjectViewsModule } from './projects/project-views.module';
import { QuotasModule } from './quotas/quotas.module';
import { DeletableBuildsModule } from './retention/deletable-builds.module';
import { SearchModule } from './search/search.module';
import { EndingBuildsModule } from './signing/ending-builds.module';
import { TesterViewsModule } from './testers/tester-views.module';
import { CurrentBuildsModule } from './updates/current-builds.module';
import { WebhookSubjectsModule } from './webhooks/webhook-subjects.module';

/** The models that read tables of several modules. */
@Module({
  imports: [
    AccountExportsModule,
    AdoptionModule,
    AuditSubjectsModule,
    BillingFaultsModule,
    BuildViewsModule,
    ChannelViewsModule,
    CredentialViewsModule,
    CurrentBuildsModule,
    DeletableBuildsModule,
    DownloadViewsModule,
    DeviceViewsModule,
    EndingBuildsModule,
    FunnelModule,
    KnownBlobsModule,
    LinkViewsModule,
    PageVersionsModule,
    ProjectViewsModule,
    QuotasModule,
    SearchModule,
    TesterViewsModule,
    WebhookSubjectsModule,
  ],
})
export class ReadModelsModule {}
