import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingModule } from '#modules/billing';
import { RunningBackup } from '#platform/backup/running-backup';
import { StoreFactory } from '#platform/blob/store-factory';
import { StorageConfig } from '#platform/config/config';
import { SealedColumns } from '#platform/crypto/sealed-columns';
import { AllowedHosts } from '#platform/network/allowed-hosts';
import { ByosaController } from './byosa.controller';
import { ByosaService } from './byosa.service';
import { credentialsContext, CustomerStores } from './customer-stores';
import { StoreDiagnosis } from './diagnosis';
import { HostedStore } from './hosted-store';
import { Installations } from './installations';
import { StorageAccountEntity } from './storage-account.entity';
import { StorageAccountsRepository } from './storage-accounts.repository';
import { StorageService } from './storage.service';

@Module({
  imports: [TypeOrmModule.forFeature([StorageAccountEntity]), BillingModule],
  controllers: [ByosaController],
  providers: [
    ByosaService,
    CustomerStores,
    HostedStore,
    Installations,
    RunningBackup,
    StorageAccountsRepository,
    StorageService,
    StoreDiagnosis,
    {
      provide: AllowedHosts,
      inject: [StorageConfig],
      useFactory: ({ byosaAllowedHosts }: StorageConfig) => new AllowedHosts(byosaAllowedHosts),
    },
    {
      provide: StoreFactory,
      inject: [AllowedHosts],
      useFactory: (allowed: AllowedHosts) => new StoreFactory(allowed),
    },
  ],
  exports: [ByosaService, Installations, StorageService],
})
export class StorageModule implements OnModuleInit {
  constructor(private readonly sealed: SealedColumns) {}

  onModuleInit(): void {
    const columns = { table: 'storage_account', column: 'sealed_credentials', key: 'id' };
    this.sealed.register({ ...columns, contextOf: credentialsContext });
  }
}
