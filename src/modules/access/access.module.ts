import { Module } from '@nestjs/common';
import { OrganizationsModule } from '#modules/organizations';
import { ProjectsModule } from '#modules/projects';
import { AccessGuard } from './access.guard';

/** Who may do what. The guard is registered globally in `app.module.ts`. */
@Module({
  imports: [OrganizationsModule, ProjectsModule],
  providers: [AccessGuard],
  exports: [AccessGuard, OrganizationsModule, ProjectsModule],
})
export class AccessModule {}
