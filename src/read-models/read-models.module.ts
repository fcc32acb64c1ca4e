import { Module } from '@nestjs/common';
import { AccountExportsModule } from './account-exports/account-exports.module';
import { BuildViewsModule } from './builds/build-views.module';
import { ChannelViewsModule } from './channels/channel-views.module';
import { CredentialViewsModule } from './credentials/credential-views.module';
import { FunnelModule } from './funnel/funnel.module';
import { ProjectViewsModule } from './projects/project-views.module';
import { QuotasModule } from './quotas/quotas.module';
import { SearchModule } from './search/search.module';
import { TesterViewsModule } from './testers/tester-views.module';

/** The models that read tables of several modules. */
@Module({
  imports: [
    AccountExportsModule,
    BuildViewsModule,
    ChannelViewsModule,
    CredentialViewsModule,
    FunnelModule,
    ProjectViewsModule,
    QuotasModule,
    SearchModule,
    TesterViewsModule,
  ],
})
export class ReadModelsModule {}
