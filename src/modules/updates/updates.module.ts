import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RateLimitModule } from '#infra/rate-limit/rate-limit.module';
import { BuildsModule } from '#modules/builds';
import { ChannelsModule } from '#modules/channels';
import { InstallModule } from '#modules/install';
import { ReleasesModule } from '#modules/releases';
import { CurrentBuildsService } from './current/current-builds.service';
import { UpdateInstallController } from './install/update-install.controller';
import { UpdateInstallService } from './install/update-install.service';
import { InstallationsService } from './installations/installations.service';
import { UpdateKeysController } from './keys/update-keys.controller';
import { UpdateKeyEntity, UpdateKeysRepository } from './keys/update-keys.repository';
import { UpdateKeysService } from './keys/update-keys.service';
import { MinSupportedVersionsController } from './min-supported/min-supported-versions.controller';
import {
  MinSupportedVersionEntity,
  MinSupportedVersionsRepository,
} from './min-supported/min-supported-versions.repository';
import { MinSupportedVersionsService } from './min-supported/min-supported-versions.service';
import { UpdateFilesController } from './packages/update-files.controller';
import { UpdatePackagesController } from './packages/update-packages.controller';
import { UpdatePackagesService } from './packages/update-packages.service';
import { UpdateSignaturesController } from './packages/update-signatures.controller';
import { UpdateSignatureEntity, UpdateSignaturesRepository } from './packages/update-signatures.repository';
import { UpdateSignaturesService } from './packages/update-signatures.service';
import { AppCenterController } from './protocols/app-center/app-center.controller';
import { UpdateCheckController } from './protocols/check/update-check.controller';
import { ChannelFeedsController } from './protocols/feeds/channel-feeds.controller';
import { FeedsController } from './protocols/feeds/feeds.controller';
import { FeedsService } from './protocols/feeds/feeds.service';
import { UpdateAddresses } from './protocols/polling/update-addresses';

/** Update checks and feeds for installed apps. */
@Module({
  imports: [
    TypeOrmModule.forFeature([MinSupportedVersionEntity, UpdateKeyEntity, UpdateSignatureEntity]),
    BuildsModule,
    ChannelsModule,
    InstallModule,
    RateLimitModule,
    ReleasesModule,
  ],
  controllers: [
    AppCenterController,
    FeedsController,
    // After the feeds with fixed names, which its route would match, too.
    ChannelFeedsController,
    MinSupportedVersionsController,
    UpdateCheckController,
    UpdateFilesController,
    UpdateInstallController,
    UpdateKeysController,
    UpdatePackagesController,
    UpdateSignaturesController,
  ],
  providers: [
    CurrentBuildsService,
    FeedsService,
    InstallationsService,
    MinSupportedVersionsRepository,
    MinSupportedVersionsService,
    UpdateAddresses,
    UpdateInstallService,
    UpdateKeysRepository,
    UpdateKeysService,
    UpdatePackagesService,
    UpdateSignaturesRepository,
    UpdateSignaturesService,
  ],
})
export class UpdatesModule {}
