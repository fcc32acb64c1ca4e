import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ArtifactInspector } from '#infra/artifact-inspection/artifact-inspector';
import { Jobs } from '#infra/jobs/jobs';
import { AccessModule } from '#modules/access';
import { BillingModule } from '#modules/billing';
import { BuildsModule } from '#modules/builds';
import { ChannelsModule } from '#modules/channels';
import { ProjectsModule } from '#modules/projects';
import { ReleasesModule } from '#modules/releases';
import { StorageModule } from '#modules/storage';
import { TokensModule } from '#modules/tokens';
import { AttachmentReceiver } from './attachments/attachment-receiver';
import { AttachmentUploadsController } from './attachments/attachment-uploads.controller';
import { OpenBytesService } from './lifecycle/open-bytes.service';
import { RestoredUploadsService } from './lifecycle/restored-uploads.service';
import { UploadLifecycleService } from './lifecycle/upload-lifecycle.service';
import { UploadLimitsService } from './lifecycle/upload-limits.service';
import { UploadRunsService } from './lifecycle/upload-runs.service';
import { ArtifactUploadEntity, UploadsRepository } from './lifecycle/uploads.repository';
import { PromotionTargetsService } from './promotion-targets.service';
import { ArtifactAssemblyService } from './resumable-uploads/artifact-assembly.service';
import { ConcurrentPartsService } from './resumable-uploads/concurrent-parts.service';
import { PartHashesService } from './resumable-uploads/part-hashes.service';
import { PartUrlTokens } from './resumable-uploads/part-url-tokens';
import { ResumableUploadsController } from './resumable-uploads/resumable-uploads.controller';
import { ResumableUploadEntity, ResumableUploadsRepository } from './resumable-uploads/resumable-uploads.repository';
import { ResumableUploadsService } from './resumable-uploads/resumable-uploads.service';
import { UploadCompletionService } from './resumable-uploads/upload-completion.service';
import { UploadPartsService } from './resumable-uploads/upload-parts.service';
import { UploadCommitService } from './upload-commit.service';
import { UploadInspectionService } from './upload-inspection.service';
import { UploadReceiver } from './upload-receiver';
import { UploadsErasure } from './uploads.account-data';
import { UploadsController } from './uploads.controller';

@Module({
  imports: [
    TypeOrmModule.forFeature([ArtifactUploadEntity, ResumableUploadEntity]),
    AccessModule,
    BillingModule,
    BuildsModule,
    ChannelsModule,
    ProjectsModule,
    ReleasesModule,
    StorageModule,
    TokensModule,
  ],
  controllers: [UploadsController, AttachmentUploadsController, ResumableUploadsController],
  providers: [
    ArtifactAssemblyService,
    AttachmentReceiver,
    ConcurrentPartsService,
    UploadLimitsService,
    { provide: ArtifactInspector, useFactory: () => new ArtifactInspector() },
    OpenBytesService,
    PartHashesService,
    PartUrlTokens,
    PromotionTargetsService,
    RestoredUploadsService,
    ResumableUploadsRepository,
    ResumableUploadsService,
    UploadCommitService,
    UploadCompletionService,
    UploadInspectionService,
    UploadLifecycleService,
    UploadPartsService,
    UploadReceiver,
    UploadRunsService,
    UploadsErasure,
    UploadsRepository,
  ],
  exports: [RestoredUploadsService, ResumableUploadsService, UploadLimitsService, UploadReceiver, UploadsErasure],
})
export class UploadsModule implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly uploads: UploadLifecycleService,
    private readonly openBytes: OpenBytesService,
    private readonly resumable: ResumableUploadsRepository,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('builds.sweep-uploads', '* * * * *', (ctx) => this.uploads.sweep(ctx));
    this.jobs.schedule('builds.measure-open-uploads', '*/5 * * * *', (ctx) => this.openBytes.measure(ctx), {
      jobClass: 'store',
    });
    this.jobs.schedule('builds.prune-resumable-uploads', '41 * * * *', (ctx) => this.resumable.prune(ctx));
  }
}
