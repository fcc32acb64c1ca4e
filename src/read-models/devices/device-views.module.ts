import { Global, Module } from '@nestjs/common';
import { BuildsModule } from '#modules/builds';
import { DeviceViews } from '#modules/devices';
import { BuildDeviceViewsController } from './build-device-views.controller';
import { BuildDeviceViewsRepository } from './build-device-views.repository';
import { BuildDeviceViewsService } from './build-device-views.service';
import { DeviceViewsRepository } from './device-views.repository';

@Global()
@Module({
  imports: [BuildsModule],
  controllers: [BuildDeviceViewsController],
  providers: [
    BuildDeviceViewsRepository,
    BuildDeviceViewsService,
    { provide: DeviceViews, useClass: DeviceViewsRepository },
  ],
  exports: [DeviceViews],
})
export class DeviceViewsModule {}
