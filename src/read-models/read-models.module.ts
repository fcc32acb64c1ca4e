import { Module } from '@nestjs/common';
import { BuildViewsModule } from './builds/build-views.module';
import { ChannelViewsModule } from './channels/channel-views.module';
import { DeviceViewsModule } from './devices/device-views.module';
import { FunnelModule } from './funnel/funnel.module';
import { ProjectViewsModule } from './projects/project-views.module';
import { QuotasModule } from './quotas/quotas.module';
import { SearchModule } from './search/search.module';
import { TesterViewsModule } from './testers/tester-views.module';

/** The models that read tables of several modules. */
@Module({
  imports: [
    BuildViewsModule,
    ChannelViewsModule,
    DeviceViewsModule,
    FunnelModule,
    ProjectViewsModule,
    QuotasModule,
    SearchModule,
    TesterViewsModule,
  ],
})
export class ReadModelsModule {}
