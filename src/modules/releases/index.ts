export { type ReleaseWithBuild, type Release } from './release';
export { ReleasesModule } from './releases.module';
export { ReleasesService } from './releases.service';
