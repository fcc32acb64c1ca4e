import { Module } from '@nestjs/common';
import { OrganizationsModule } from '#modules/organizations';
import { AccessGuard } from './access.guard';
import { AccessService } from './access.service';

/** The guard is registered for all routes in `app.module.ts`. */
@Module({
  imports: [OrganizationsModule],
  providers: [AccessGuard, AccessService],
  exports: [AccessGuard, AccessService],
})
export class AccessModule {}
