import { Global, Module } from '@nestjs/common';
import { BuildsModule, BuildViews, BundleIds, LinkedBuilds } from '#modules/builds';
import { InstallLinksModule } from '#modules/install-links';
import { BuildVersionsRepository } from './build-versions.repository';
import { BuildViewsService } from './build-views.service';
import { BundleIdsRepository } from './bundle-ids.repository';
import { LinkedBuildsRepository } from './linked-builds.repository';

@Global()
@Module({
  imports: [BuildsModule, InstallLinksModule],
  providers: [
    BuildVersionsRepository,
    BuildViewsService,
    { provide: BuildViews, useExisting: BuildViewsService },
    { provide: BundleIds, useClass: BundleIdsRepository },
    { provide: LinkedBuilds, useClass: LinkedBuildsRepository },
  ],
  exports: [BuildViews, BundleIds, LinkedBuilds],
})
export class BuildViewsModule {}
