import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BuildsModule } from '#modules/builds';
import { ChannelsModule } from '#modules/channels';
import { InstallLinksModule } from '#modules/install-links';
import { AppCenterController } from './app-center/app-center.controller';
import { UpdateCheckController } from './check/update-check.controller';
import { CurrentBuildsRepository } from './current/current-builds.repository';
import { CurrentBuildsService } from './current/current-builds.service';
import { UpdateKeyEntity } from './keys/update-key.entity';
import { UpdateKeysController } from './keys/update-keys.controller';
import { UpdateKeysRepository } from './keys/update-keys.repository';
import { UpdateKeysService } from './keys/update-keys.service';
import { UpdatePackagesController } from './packages/update-packages.controller';
import { UpdatePackagesService } from './packages/update-packages.service';
import { UpdateAddresses } from './update-addresses';

/** How installed apps find out that there is a newer build. */
@Module({
  imports: [TypeOrmModule.forFeature([UpdateKeyEntity]), BuildsModule, ChannelsModule, InstallLinksModule],
  controllers: [AppCenterController, UpdateCheckController, UpdateKeysController, UpdatePackagesController],
  providers: [
    CurrentBuildsRepository,
    CurrentBuildsService,
    UpdateAddresses,
    UpdateKeysRepository,
    UpdateKeysService,
    UpdatePackagesService,
  ],
})
export class UpdatesModule {}
