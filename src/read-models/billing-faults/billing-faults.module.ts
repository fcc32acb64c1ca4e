import { Global, Module } from '@nestjs/common';
import { BillingFaults } from '#modules/billing';
import { BillingFaultsRepository } from './billing-faults.repository';

@Global()
@Module({
  providers: [{ provide: BillingFaults, useClass: BillingFaultsRepository }],
  exports: [BillingFaults],
})
export class BillingFaultsModule {}
