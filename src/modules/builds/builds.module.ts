import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RetentionConfig } from '#infra/config/config';
import { Jobs } from '#infra/jobs/jobs';
import { RowCountsService } from '#infra/row-counts/row-counts.service';
import { BillingModule } from '#modules/billing';
import { InstallLinksModule } from '#modules/install-links';
import { ProjectsModule } from '#modules/projects';
import { StorageModule } from '#modules/storage';
import { TokensModule } from '#modules/tokens';
import { AttachmentsController } from './attachments/attachments.controller';
import { AttachmentEntity, AttachmentsRepository } from './attachments/attachments.repository';
import { AttachmentsService } from './attachments/attachments.service';
import { BuildsErasure } from './builds.account-data';
import {
  BuildDetailEntity,
  BuildEntity,
  BuildIconEntity,
  BUILDS_OF_PROJECT,
  PinnedBundleIdEntity,
} from './catalogue/build.entity';
import { BuildLinksService } from './catalogue/build-links.service';
import { BuildsController } from './catalogue/builds.controller';
import { BuildsRepository } from './catalogue/builds.repository';
import { BuildsService } from './catalogue/builds.service';
import { BuildChangeEntity } from './catalogue/commits/build-change.entity';
import { BuildDeletionService } from './catalogue/deletion/build-deletion.service';
import { BuildDeletionsController } from './catalogue/deletion/build-deletions.controller';
import { DeletionPreviews } from './catalogue/deletion/deletion-preview';
import { MatchingDeletionService } from './catalogue/deletion/matching-deletion.service';
import { TrashRepository } from './catalogue/deletion/trash.repository';
import { TrashService } from './catalogue/deletion/trash.service';
import { BuildDiffController } from './catalogue/diff/build-diff.controller';
import { BuildListRepository } from './catalogue/list/build-list.repository';
import { BuildListService } from './catalogue/list/build-list.service';
import { BuildDeviceEntity, BuildDevicesRepository, DeviceDigests } from './devices/build-devices.repository';
import { ProfileDevicesService } from './devices/profile-devices.service';
import { ArtifactPresenceService } from './downloads/artifact-presence.service';
import { DailyDownloadsController } from './downloads/daily/daily-downloads.controller';
import { DailyDownloadsRepository } from './downloads/daily/daily-downloads.repository';
import { DailyDownloadsService } from './downloads/daily/daily-downloads.service';
import { DownloadTicketsService } from './downloads/download-tickets.service';
import { DownloadsController } from './downloads/downloads.controller';
import { DownloadsRepository, DownloadTicketEntity } from './downloads/downloads.repository';
import { DownloadsService } from './downloads/downloads.service';
import { LinkTicketsRepository } from './downloads/link-tickets.repository';
import { LinkTicketsService } from './downloads/link-tickets.service';
import { DownloadLogController } from './downloads/log/download-log.controller';
import { BuildDownloadEntity, DownloadLogRepository } from './downloads/log/download-log.repository';
import { DownloadLogService } from './downloads/log/download-log.service';
import { DownloadProgressRecorder } from './downloads/log/download-progress-recorder';
import { SettledTicketsService } from './downloads/settled-tickets.service';
import { BuildIconsController } from './icons/build-icons.controller';
import { BuildIconsRepository } from './icons/build-icons.repository';
import { BuildIconsService } from './icons/build-icons.service';
import { BuildInstallationEntity, BuildInstallationsRepository } from './installations/build-installations.repository';
import { BuildInstallationsService } from './installations/build-installations.service';
import { OrphanReport } from './orphans/orphan-report';
import { DeveloperStatus } from './registrations/developer-status';
import { AndroidRegistrationEntity, RegistrationsRepository } from './registrations/registrations.repository';
import { RegistrationsService } from './registrations/registrations.service';
import { BuildRelocationEntity, BuildRelocationRepository } from './relocation/build-relocation.repository';
import { BuildRelocationService } from './relocation/build-relocation.service';
import { RetentionController } from './retention/retention.controller';
import { RetentionEntity, RetentionRepository } from './retention/retention.repository';
import { RetentionService } from './retention/retention.service';
import { RetentionMailsService } from './retention/retention-mails.service';
import { RetentionRunService } from './retention/retention-run.service';
import { SigningCalendarEntity, SigningCalendarRepository } from './signing/signing-calendar.repository';
import { SigningCalendarService } from './signing/signing-calendar.service';
import { SigningMailsService } from './signing/signing-mails.service';

const ENTITIES = [
  AttachmentEntity,
  BuildChangeEntity,
  BuildDetailEntity,
  BuildDeviceEntity,
  BuildDownloadEntity,
  BuildEntity,
  BuildIconEntity,
  BuildInstallationEntity,
  BuildRelocationEntity,
  AndroidRegistrationEntity,
  DownloadTicketEntity,
  PinnedBundleIdEntity,
  RetentionEntity,
  SigningCalendarEntity,
];

@Module({
  imports: [
    TypeOrmModule.forFeature(ENTITIES),
    BillingModule,
    InstallLinksModule,
    ProjectsModule,
    StorageModule,
    TokensModule,
  ],
  controllers: [
    AttachmentsController,
    BuildDeletionsController,
    BuildDiffController,
    BuildIconsController,
    BuildsController,
    DailyDownloadsController,
    DownloadLogController,
    DownloadsController,
    RetentionController,
  ],
  providers: [
    ArtifactPresenceService,
    AttachmentsRepository,
    AttachmentsService,
    BuildDeletionService,
    BuildDevicesRepository,
    ProfileDevicesService,
    BuildIconsRepository,
    BuildIconsService,
    BuildInstallationsRepository,
    BuildInstallationsService,
    BuildLinksService,
    BuildListRepository,
    BuildListService,
    BuildRelocationService,
    BuildRelocationRepository,
    BuildsErasure,
    BuildsRepository,
    BuildsService,
    DailyDownloadsRepository,
    DeveloperStatus,
    DailyDownloadsService,
    DeletionPreviews,
    DeviceDigests,
    DownloadLogRepository,
    DownloadLogService,
    DownloadTicketsService,
    DownloadsRepository,
    DownloadsService,
    LinkTicketsRepository,
    LinkTicketsService,
    MatchingDeletionService,
    RegistrationsRepository,
    RegistrationsService,
    RetentionMailsService,
    RetentionRepository,
    RetentionService,
    RetentionRunService,
    SettledTicketsService,
    SigningCalendarRepository,
    SigningCalendarService,
    SigningMailsService,
    OrphanReport,
    DownloadProgressRecorder,
    TrashRepository,
    TrashService,
  ],
  exports: [
    AttachmentsService,
    BuildDeletionService,
    ProfileDevicesService,
    BuildIconsService,
    BuildInstallationsService,
    BuildListService,
    BuildRelocationService,
    BuildsErasure,
    BuildsService,
    DownloadLogService,
    DownloadTicketsService,
    DownloadsService,
    OrphanReport,
    TrashService,
  ],
})
export class BuildsModule implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly attachments: AttachmentsService,
    private readonly tickets: DownloadsRepository,
    private readonly downloadLog: DownloadLogRepository,
    private readonly retention: RetentionConfig,
    private readonly rowCounts: RowCountsService,
  ) {}

  onModuleInit(): void {
    const { downloadLogDays } = this.retention;
    this.rowCounts.register(BUILDS_OF_PROJECT);
    this.jobs.schedule('builds.prune-download-log', '19 4 * * *', (ctx) =>
      this.downloadLog.prune(ctx, downloadLogDays),
    );
    this.jobs.schedule('builds.sweep-attachments', '*/10 * * * *', (ctx) => this.attachments.sweep(ctx));
    this.jobs.schedule('builds.prune-download-tickets', '37 * * * *', (ctx) => this.tickets.prune(ctx));
  }
}
