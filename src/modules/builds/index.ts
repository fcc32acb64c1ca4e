export { type Build, type BuildWarning, type LinkedBuild } from './build';
export { BuildsModule } from './builds.module';
export { BuildsService } from './builds.service';
export { DownloadsService, type DownloadUrl } from './downloads.service';
