import { Module } from '@nestjs/common';
import { OrganizationsModule } from '#modules/organizations';
import { ProjectsModule } from '#modules/projects';
import { AccessGuard } from './access.guard';
import { AccessService } from './access.service';

/** The guard is registered for all routes in `app.module.ts`. */
@Module({
  imports: [OrganizationsModule, ProjectsModule],
  providers: [AccessGuard, AccessService],
  exports: [AccessGuard, AccessService],
})
export class AccessModule {}
