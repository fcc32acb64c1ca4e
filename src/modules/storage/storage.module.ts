import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { StoreFactory } from '#infra/blob/store-factory';
import { PartBuffers } from '#infra/blob/streams/write-in-parts';
import { StorageConfig, UploadConfig } from '#infra/config/config';
import { SealedColumns } from '#infra/crypto/sealed-columns';
import { RunningBackup } from '#infra/database/running-backup';
import { sample } from '#infra/metrics/gauge-source';
import { Metrics } from '#infra/metrics/metrics';
import { AllowedHosts } from '#infra/network/allowed-hosts';
import { BillingModule } from '#modules/billing';
import { BucketOwnershipService } from './accounts/bucket-ownership.service';
import { credentialsContext, CustomerStoresService } from './accounts/customer-stores.service';
import { HostedStoreEntity, HostedStoreRepository } from './accounts/hosted-store.repository';
import { HostedStoreService } from './accounts/hosted-store.service';
import { HostedStoreIdentityService } from './accounts/hosted-store-identity.service';
import { StorageAccountEntity, StorageAccountsRepository } from './accounts/storage-accounts.repository';
import { StoreCircuitsService } from './accounts/store-circuits.service';
import { ByosaController } from './byosa/byosa.controller';
import { ByosaService } from './byosa/byosa.service';
import { StoreDiagnosisService } from './byosa/diagnosis/store-diagnosis.service';
import { DamageReportService } from './damage-report.service';
import { StorageErasure } from './storage.account-data';
import { StorageService } from './storage.service';

@Module({
  imports: [TypeOrmModule.forFeature([HostedStoreEntity, StorageAccountEntity]), BillingModule],
  controllers: [ByosaController],
  providers: [
    BucketOwnershipService,
    ByosaService,
    CustomerStoresService,
    DamageReportService,
    HostedStoreIdentityService,
    HostedStoreRepository,
    HostedStoreService,
    RunningBackup,
    StorageAccountsRepository,
    StorageErasure,
    StorageService,
    StoreCircuitsService,
    StoreDiagnosisService,
    {
      provide: AllowedHosts,
      inject: [StorageConfig],
      useFactory: ({ byosaAllowedHosts }: StorageConfig) => new AllowedHosts(byosaAllowedHosts),
    },
    {
      provide: StoreFactory,
      inject: [AllowedHosts, PartBuffers],
      useFactory: (allowed: AllowedHosts, buffers: PartBuffers) => new StoreFactory(allowed, undefined, buffers),
    },
    {
      provide: PartBuffers,
      inject: [UploadConfig, Metrics],
      useFactory: ({ bufferBytes }: UploadConfig, metrics: Metrics) => {
        const buffers = new PartBuffers(bufferBytes);
        const read = () => [sample('agate_upload_buffer_bytes', buffers.bytesInUse, {})];
        metrics.watch({ source: 'upload_buffers', gauges: ['agate_upload_buffer_bytes'], read });
        return buffers;
      },
    },
  ],
  exports: [
    BucketOwnershipService,
    ByosaService,
    DamageReportService,
    HostedStoreIdentityService,
    StorageErasure,
    StorageService,
  ],
})
export class StorageModule implements OnModuleInit {
  constructor(private readonly sealed: SealedColumns) {}

  onModuleInit(): void {
    const columns = { table: 'storage_account', column: 'sealed_credentials', key: 'id' };
    this.sealed.register({ ...columns, contextOf: credentialsContext });
  }
}
