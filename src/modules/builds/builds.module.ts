import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingModule } from '#modules/billing';
import { InstallLinksModule } from '#modules/install-links';
import { ProjectsModule } from '#modules/projects';
import { StorageModule } from '#modules/storage';
import { Jobs } from '#infra/jobs/jobs';
import { ArtifactAssembler } from './resumable-uploads/artifact-assembler';
import { ArtifactIntake } from './uploads/artifact-intake.service';
import { ArtifactUploadEntity } from './uploads/artifact-upload.entity';
import { BlobRowsRepository } from './orphans/known-blobs.repository';
import { BuildDownloadEntity } from './downloads/log/build-download.entity';
import { BuildIconEntity } from './catalogue/build-icon.entity';
import { BuildRelocationEntity } from './relocation/build-relocation.entity';
import { BuildRelocationRepository } from './relocation/build-relocation.repository';
import { BuildRelocationService } from './relocation/build-relocation.service';
import { BuildEntity } from './catalogue/build.entity';
import { BuildsErasure } from './builds.account-data';
import { BuildsController } from './catalogue/builds.controller';
import { BuildsRepository } from './catalogue/builds.repository';
import { BuildsService } from './catalogue/builds.service';
import { DownloadLogController } from './downloads/log/download-log.controller';
import { DownloadLogRepository } from './downloads/log/download-log.repository';
import { DownloadLogService } from './downloads/log/download-log.service';
import { DownloadTicketEntity } from './downloads/download-ticket.entity';
import { DownloadsController } from './downloads/downloads.controller';
import { DownloadsRepository } from './downloads/downloads.repository';
import { DownloadsService } from './downloads/downloads.service';
import { ArtifactInspector } from '#infra/artifact-inspection/artifact-inspector';
import { OrphanReport } from './orphans/orphan-report';
import { PartUrlTokens } from './resumable-uploads/part-url-tokens';
import { PinnedBundleIdEntity } from './catalogue/pinned-bundle-id.entity';
import { ResumableUploadEntity } from './resumable-uploads/resumable-upload.entity';
import { ResumableUploadsController } from './resumable-uploads/resumable-uploads.controller';
import { ResumableUploadsRepository } from './resumable-uploads/resumable-uploads.repository';
import { ResumableUploadsService } from './resumable-uploads/resumable-uploads.service';
import { DownloadProgressRecorder } from './downloads/log/download-progress-recorder';
import { UploadCompletionService } from './resumable-uploads/upload-completion.service';
import { UploadPartsService } from './resumable-uploads/upload-parts.service';
import { UploadsRepository } from './uploads/uploads.repository';
import { UploadsService } from './uploads/uploads.service';

const ENTITIES = [
  ArtifactUploadEntity,
  BuildDownloadEntity,
  BuildEntity,
  BuildIconEntity,
  BuildRelocationEntity,
  DownloadTicketEntity,
  PinnedBundleIdEntity,
  ResumableUploadEntity,
];

@Module({
  imports: [TypeOrmModule.forFeature(ENTITIES), BillingModule, InstallLinksModule, ProjectsModule, StorageModule],
  controllers: [BuildsController, DownloadLogController, DownloadsController, ResumableUploadsController],
  providers: [
    ArtifactAssembler,
    ArtifactIntake,
    { provide: ArtifactInspector, useFactory: () => new ArtifactInspector() },
    BlobRowsRepository,
    BuildRelocationService,
    BuildRelocationRepository,
    BuildsErasure,
    BuildsRepository,
    BuildsService,
    DownloadLogRepository,
    DownloadLogService,
    DownloadsRepository,
    DownloadsService,
    OrphanReport,
    PartUrlTokens,
    ResumableUploadsRepository,
    ResumableUploadsService,
    DownloadProgressRecorder,
    UploadCompletionService,
    UploadPartsService,
    UploadsRepository,
    UploadsService,
  ],
  exports: [ArtifactIntake, BuildRelocationService, BuildsErasure, BuildsService, DownloadsService, OrphanReport],
})
export class BuildsModule implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly tickets: DownloadsRepository,
    private readonly resumable: ResumableUploadsRepository,
    private readonly uploads: UploadsService,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('builds.sweep-uploads', '* * * * *', (ctx) => this.uploads.sweep(ctx));
    this.jobs.schedule('builds.prune-download-tickets', '37 * * * *', (ctx) => this.tickets.prune(ctx));
    this.jobs.schedule('builds.prune-resumable-uploads', '41 * * * *', (ctx) => this.resumable.prune(ctx));
  }
}
