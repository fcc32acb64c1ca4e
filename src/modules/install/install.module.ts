import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '#modules/auth';
import { BuildsModule } from '#modules/builds';
import { CaptchaModule } from '#modules/captcha';
import { ChannelsModule } from '#modules/channels';
import { DevicesModule } from '#modules/devices';
import { InstallLinksModule } from '#modules/install-links';
import { ProjectsModule } from '#modules/projects';
import { ReleasesModule } from '#modules/releases';
import { TestersModule } from '#modules/testers';
import { AssetsController } from './assets.controller';
import { BuildInstallService } from './build-install.service';
import { DeviceAnswersController } from './device-capture/device-answers.controller';
import { DeviceCaptureController } from './device-capture/device-capture.controller';
import { DeviceCaptureService } from './device-capture/device-capture.service';
import { OwnDevicesController } from './device-capture/own-devices.controller';
import { LinkAttemptsService } from './gate/link-attempts.service';
import { LinkCodeEntity, LinkCodesRepository } from './gate/link-codes.repository';
import { LinkCodesService } from './gate/link-codes.service';
import { LinkGateController } from './gate/link-gate.controller';
import { LinkGateService } from './gate/link-gate.service';
import { LinkGatePages } from './gate/link-gate-pages';
import { InstallController } from './install.controller';
import { InstallService } from './install.service';
import { LatestController } from './latest.controller';
import { LinkResolverService } from './link-resolver.service';
import { LinkedBuildController } from './linked-build.controller';
import { InstallPagesService } from './page/install-pages.service';
import { InviteActionsController } from './subscription-actions/invite-actions.controller';
import { MailPlatformsController } from './subscription-actions/mail-platforms.controller';

/** The pages, manifests and packages of install links. */
@Module({
  imports: [
    TypeOrmModule.forFeature([LinkCodeEntity]),
    AuthModule,
    BuildsModule,
    CaptchaModule,
    ChannelsModule,
    DevicesModule,
    InstallLinksModule,
    ProjectsModule,
    ReleasesModule,
    TestersModule,
  ],
  // `:package_file` of InstallController matches any path segment, so the controllers with fixed segments come first.
  controllers: [
    DeviceAnswersController,
    DeviceCaptureController,
    OwnDevicesController,
    InviteActionsController,
    LinkGateController,
    MailPlatformsController,
    LatestController,
    LinkedBuildController,
    InstallController,
    AssetsController,
  ],
  providers: [
    BuildInstallService,
    DeviceCaptureService,
    InstallPagesService,
    InstallService,
    LinkAttemptsService,
    LinkCodesRepository,
    LinkCodesService,
    LinkGatePages,
    LinkGateService,
    LinkResolverService,
  ],
  exports: [BuildInstallService],
})
export class InstallModule {}
