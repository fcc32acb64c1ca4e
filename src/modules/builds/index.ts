export { ArtifactIntake } from './uploads/artifact-intake.service';
export { BUILDS_FILES, BuildsErasure, EXPORTED_ARTIFACTS } from './builds.account-data';
export { HOSTED_ARTIFACTS } from './orphans/known-blobs.repository';
export {
  type Build,
  type BuildPromoter,
  type BuildWarning,
  type BuildWithUrl,
  type UploadedBuild,
} from './catalogue/build';
export { BuildRelocationService, type Moved } from './relocation/build-relocation.service';
export { BuildsModule } from './builds.module';
export { type Icon } from './catalogue/builds.repository';
export { BuildsService } from './catalogue/builds.service';
export { DownloadsService, type DownloadUrl, type OpenDownload } from './downloads/downloads.service';
export { OrphanReport, type Orphans } from './orphans/orphan-report';
