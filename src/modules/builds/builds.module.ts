import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingModule } from '#modules/billing';
import { InvitesModule } from '#modules/invites';
import { ProjectsModule } from '#modules/projects';
import { StorageModule } from '#modules/storage';
import { Jobs } from '#platform/jobs/jobs';
import { ArtifactUploadEntity } from './artifact-upload.entity';
import { BuildIconEntity } from './build-icon.entity';
import { BuildEntity } from './build.entity';
import { BuildsController } from './builds.controller';
import { BuildsRepository } from './builds.repository';
import { BuildsService } from './builds.service';
import { DownloadTicketEntity } from './download-ticket.entity';
import { DownloadsController } from './downloads.controller';
import { DownloadsRepository } from './downloads.repository';
import { DownloadsService } from './downloads.service';
import { PinnedBundleIdEntity } from './pinned-bundle-id.entity';
import { UploadsRepository } from './uploads.repository';
import { UploadsService } from './uploads.service';

const ENTITIES = [ArtifactUploadEntity, BuildEntity, BuildIconEntity, DownloadTicketEntity, PinnedBundleIdEntity];

@Module({
  imports: [TypeOrmModule.forFeature(ENTITIES), BillingModule, InvitesModule, ProjectsModule, StorageModule],
  controllers: [BuildsController, DownloadsController],
  providers: [
    BuildsRepository,
    BuildsService,
    DownloadsRepository,
    DownloadsService,
    UploadsRepository,
    UploadsService,
  ],
  exports: [BuildsService, DownloadsService],
})
export class BuildsModule implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly tickets: DownloadsRepository,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('builds.prune-download-tickets', '37 * * * *', (ctx) => this.tickets.prune(ctx));
  }
}
