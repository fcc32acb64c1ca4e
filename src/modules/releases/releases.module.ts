import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingModule } from '#modules/billing';
import { BuildsModule } from '#modules/builds';
import { ChannelsModule } from '#modules/channels';
import { InstallLinksModule } from '#modules/install-links';
import { ProjectsModule } from '#modules/projects';
import { TestersModule } from '#modules/testers';
import { TokensModule } from '#modules/tokens';
import { ReleaseAnnouncementsService } from './announcements/release-announcements.service';
import { ReleaseAudienceService } from './announcements/release-audience.service';
import { ReleaseMailingService } from './announcements/release-mailing.service';
import { ReleaseMailEntity, ReleaseMailsRepository } from './announcements/release-mails.repository';
import { ReleaseUndoService } from './announcements/release-undo.service';
import { WaitingMailsService } from './announcements/waiting-mails.service';
import { ProjectReleasesController } from './relations/project-releases.controller';
import { ReleaseLabelsService } from './relations/release-labels.service';
import { ReleaseRelationsRepository } from './relations/release-relations.repository';
import { ReleaseRelationsService } from './relations/release-relations.service';
import { ReleasesErasure } from './releases.account-data';
import { ReleasesController } from './releases.controller';
import { CurrentReleaseEntity, ReleaseEntity, ReleasesRepository } from './releases.repository';
import { ReleasesService } from './releases.service';
import { ReleaseRemindersController } from './reminders/release-reminders.controller';
import { ReleaseRemindersService } from './reminders/release-reminders.service';
import { TrashedReleasesRepository } from './trash/trashed-releases.repository';
import { TrashedReleasesService } from './trash/trashed-releases.service';

@Module({
  imports: [
    TypeOrmModule.forFeature([ReleaseEntity, CurrentReleaseEntity, ReleaseMailEntity]),
    BillingModule,
    BuildsModule,
    ChannelsModule,
    InstallLinksModule,
    ProjectsModule,
    TestersModule,
    TokensModule,
  ],
  controllers: [ProjectReleasesController, ReleaseRemindersController, ReleasesController],
  providers: [
    ReleaseAnnouncementsService,
    ReleaseAudienceService,
    ReleaseMailingService,
    ReleaseMailsRepository,
    ReleaseRelationsRepository,
    ReleaseRelationsService,
    ReleaseLabelsService,
    ReleaseUndoService,
    ReleaseRemindersService,
    ReleasesErasure,
    ReleasesRepository,
    ReleasesService,
    TrashedReleasesRepository,
    TrashedReleasesService,
    WaitingMailsService,
  ],
  exports: [ReleaseLabelsService, ReleasesService],
})
export class ReleasesModule {}
