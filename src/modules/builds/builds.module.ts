import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingModule } from '#modules/billing';
import { InvitesModule } from '#modules/invites';
import { ProjectsModule } from '#modules/projects';
import { StorageModule } from '#modules/storage';
import { Jobs } from '#platform/jobs/jobs';
import { ArtifactAssembler } from './artifact-assembler';
import { ArtifactIntake } from './artifact-intake.service';
import { ArtifactUploadEntity } from './artifact-upload.entity';
import { BlobRowsRepository } from './blob-rows.repository';
import { BuildDownloadEntity } from './build-download.entity';
import { BuildIconEntity } from './build-icon.entity';
import { BuildMoveEntity } from './build-move.entity';
import { BuildMovesRepository } from './build-moves.repository';
import { BuildMoves } from './build-moves.service';
import { BuildEntity } from './build.entity';
import { BuildsController } from './builds.controller';
import { BuildsRepository } from './builds.repository';
import { BuildsService } from './builds.service';
import { DownloadLogController } from './download-log.controller';
import { DownloadLogRepository } from './download-log.repository';
import { DownloadLogService } from './download-log.service';
import { DownloadTicketEntity } from './download-ticket.entity';
import { DownloadsController } from './downloads.controller';
import { DownloadsRepository } from './downloads.repository';
import { DownloadsService } from './downloads.service';
import { ArtifactInspector } from './inspection';
import { OrphanReport } from './orphan-report';
import { PartTickets } from './part-tickets';
import { PinnedBundleIdEntity } from './pinned-bundle-id.entity';
import { ResumableUploadEntity } from './resumable-upload.entity';
import { ResumableUploadsController } from './resumable-uploads.controller';
import { ResumableUploadsRepository } from './resumable-uploads.repository';
import { ResumableUploadsService } from './resumable-uploads.service';
import { SentLog } from './sent-log';
import { UploadCompletionService } from './upload-completion.service';
import { UploadPartsService } from './upload-parts.service';
import { UploadsRepository } from './uploads.repository';
import { UploadsService } from './uploads.service';

const ENTITIES = [
  ArtifactUploadEntity,
  BuildDownloadEntity,
  BuildEntity,
  BuildIconEntity,
  BuildMoveEntity,
  DownloadTicketEntity,
  PinnedBundleIdEntity,
  ResumableUploadEntity,
];

@Module({
  imports: [TypeOrmModule.forFeature(ENTITIES), BillingModule, InvitesModule, ProjectsModule, StorageModule],
  controllers: [BuildsController, DownloadLogController, DownloadsController, ResumableUploadsController],
  providers: [
    ArtifactAssembler,
    ArtifactIntake,
    { provide: ArtifactInspector, useFactory: () => new ArtifactInspector() },
    BlobRowsRepository,
    BuildMoves,
    BuildMovesRepository,
    BuildsRepository,
    BuildsService,
    DownloadLogRepository,
    DownloadLogService,
    DownloadsRepository,
    DownloadsService,
    OrphanReport,
    PartTickets,
    ResumableUploadsRepository,
    ResumableUploadsService,
    SentLog,
    UploadCompletionService,
    UploadPartsService,
    UploadsRepository,
    UploadsService,
  ],
  exports: [ArtifactIntake, BuildMoves, BuildsService, DownloadsService, OrphanReport],
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
