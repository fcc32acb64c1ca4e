import { Global, Module } from '@nestjs/common';
import { BuildsModule } from '#modules/builds';
import { ChannelsModule } from '#modules/channels';
import { DevelopersModule } from '#modules/developers';
import { OrganizationsModule } from '#modules/organizations';
import { ProjectsModule } from '#modules/projects';
import { ReleasesModule } from '#modules/releases';
import { TestersModule } from '#modules/testers';
import { WebhookSubjects } from '#modules/webhooks';
import { CountedDownloadsRepository } from './counted-downloads.repository';
import { EventObjectsService } from './event-objects.service';
import { NewestEventsRepository } from './newest-events.repository';
import { PreviousSizesRepository } from './previous-sizes.repository';
import { WebhookSubjectsService } from './webhook-subjects.service';

@Global()
@Module({
  imports: [
    BuildsModule,
    ChannelsModule,
    DevelopersModule,
    OrganizationsModule,
    ProjectsModule,
    ReleasesModule,
    TestersModule,
  ],
  providers: [
    CountedDownloadsRepository,
    EventObjectsService,
    NewestEventsRepository,
    PreviousSizesRepository,
    { provide: WebhookSubjects, useClass: WebhookSubjectsService },
  ],
  exports: [WebhookSubjects],
})
export class WebhookSubjectsModule {}
