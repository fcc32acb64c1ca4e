import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SealedColumns } from '#infra/crypto/sealed-columns';
import { BuildsModule } from '#modules/builds';
import { InstallLinksModule } from '#modules/install-links';
import { ProjectsModule } from '#modules/projects';
import { TestersModule } from '#modules/testers';
import { DevicesController } from './devices.controller';
import { DeviceEntity, DevicesRepository } from './devices.repository';
import { deviceContext, DevicesService } from './devices.service';
import { DeviceFilesController } from './exchange/device-files.controller';
import { DeviceFilesService } from './exchange/device-files.service';
import { DeviceInclusionService } from './inclusion/device-inclusion.service';
import { IncludedMailsService } from './inclusion/included-mails.service';
import { DeviceReceiptEntity, DeviceReceiptsRepository } from './registration/device-receipts.repository';
import { DeviceRegistrationsService } from './registration/device-registrations.service';

/** The devices of testers, and which builds they can install. */
@Module({
  imports: [
    TypeOrmModule.forFeature([DeviceEntity, DeviceReceiptEntity]),
    BuildsModule,
    InstallLinksModule,
    ProjectsModule,
    TestersModule,
  ],
  // Fixed segments come before `:device_id`.
  controllers: [DeviceFilesController, DevicesController],
  providers: [
    DeviceFilesService,
    DeviceInclusionService,
    DeviceReceiptsRepository,
    DeviceRegistrationsService,
    DevicesRepository,
    DevicesService,
    IncludedMailsService,
  ],
  exports: [DeviceRegistrationsService, DevicesService],
})
export class DevicesModule implements OnModuleInit {
  constructor(private readonly sealed: SealedColumns) {}

  onModuleInit(): void {
    this.sealed.register({ table: 'device', column: 'udid_sealed', key: 'id', contextOf: deviceContext });
  }
}
