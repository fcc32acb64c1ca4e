export { ArtifactIntake } from './artifact-intake.service';
export { HOSTED_ARTIFACTS } from './blob-rows.repository';
export { type Build, type BuildPromoter, type BuildWarning, type LinkedBuild, type UploadedBuild } from './build';
export { BuildMoves, type Moved } from './build-moves.service';
export { BuildsModule } from './builds.module';
export { type Icon } from './builds.repository';
export { BuildsService } from './builds.service';
export { DownloadsService, type DownloadUrl, type OpenDownload } from './downloads.service';
export { OrphanReport, type Orphans } from './orphan-report';
