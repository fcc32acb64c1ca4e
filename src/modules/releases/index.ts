export { type AudienceMember, AudienceViews } from './reminders/audience-views';
export { type ReleaseWithBuild, type Release } from './release';
export { ReleaseLabelsService } from './relations/release-labels.service';
export { toReleaseResponse } from './releases.mapper';
export { RELEASES_FILES } from './releases.account-data';
export { ReleasesModule } from './releases.module';
export { ReleasesService } from './releases.service';
