import { Global, Module } from '@nestjs/common';
import { BuildsModule } from '#modules/builds';
import { InstallLinksModule } from '#modules/install-links';
import { ProjectViews } from '#modules/projects';
import { ProjectFactsRepository } from './project-facts.repository';
import { ProjectViewsService } from './project-views.service';
import { VisibleProjectsRepository } from './visible-projects.repository';

@Global()
@Module({
  imports: [BuildsModule, InstallLinksModule],
  providers: [
    ProjectFactsRepository,
    VisibleProjectsRepository,
    { provide: ProjectViews, useClass: ProjectViewsService },
  ],
  exports: [ProjectViews],
})
export class ProjectViewsModule {}
