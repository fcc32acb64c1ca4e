import { Global, Module } from '@nestjs/common';
import { BuildsModule, BuildViews } from '#modules/builds';
import { InstallLinksModule } from '#modules/install-links';
import { BuildVersionsRepository } from './build-versions.repository';
import { BuildViewsService } from './build-views.service';

@Global()
@Module({
  imports: [BuildsModule, InstallLinksModule],
  providers: [BuildVersionsRepository, BuildViewsService, { provide: BuildViews, useExisting: BuildViewsService }],
  exports: [BuildViews],
})
export class BuildViewsModule {}
