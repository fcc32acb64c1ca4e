import { Module } from '@nestjs/common';
import { BuildsModule } from '#modules/builds';
import { InvitesModule } from '#modules/invites';
import { ProjectsModule } from '#modules/projects';
import { AssetsController } from './assets.controller';
import { InstallErrorPages } from './install-error-pages';
import { InstallController } from './install.controller';
import { InstallService } from './install.service';

/** What testers see: pages, manifests and packages behind install links. */
@Module({
  imports: [BuildsModule, InvitesModule, ProjectsModule],
  controllers: [InstallController, AssetsController],
  providers: [InstallService, InstallErrorPages],
})
export class InstallModule {}
