import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PaymentConfig } from '#platform/config/config';
import { AccountsRepository } from './accounts.repository';
import { AccountsService } from './accounts.service';
import { AdmissionService } from './admission.service';
import { BillingAccountEntity } from './billing-account.entity';
import { BillingStatementEntity } from './billing-statement.entity';
import { BillingCheck } from './billing-check';
import { BillingCheckRepository } from './billing-check.repository';
import { BillingOperations } from './billing-operations';
import { BillingOverrides } from './billing-overrides';
import { BillingController } from './billing.controller';
import { BillingService } from './billing.service';
import { FeesService } from './fees.service';
import { LedgerEntryEntity } from './ledger-entry.entity';
import { LedgerRepository } from './ledger.repository';
import { LedgerService } from './ledger.service';
import { ManualPayments } from './manual-payments';
import { PaymentProvider } from './payment-provider';
import { PeriodsService } from './periods.service';
import { PlansService } from './plans.service';
import { PriceList } from './price-list';
import { ReservationEntity } from './reservation.entity';
import { ReservationGauges } from './reservation-gauges';
import { ReservationsRepository } from './reservations.repository';
import { StatementsRepository } from './statements.repository';
import { StorageAccrual } from './storage-accrual.service';
import { StorageIntervalEntity } from './storage-interval.entity';
import { StorageMeterRepository } from './storage-meter.repository';
import { StorageMeter } from './storage-meter.service';
import { StoredBuildEntity } from './stored-build.entity';
import { StripePayments } from './stripe-payments';
import { TopUpEntity } from './top-up.entity';
import { TopUpPayments } from './top-up-payments';
import { TopUpsController } from './top-ups.controller';
import { TopUpsRepository } from './top-ups.repository';
import { TopUpsService } from './top-ups.service';
import { UsageService } from './usage.service';

const ENTITIES = [
  BillingAccountEntity,
  BillingStatementEntity,
  LedgerEntryEntity,
  ReservationEntity,
  StorageIntervalEntity,
  StoredBuildEntity,
  TopUpEntity,
];

const REPOSITORIES = [
  AccountsRepository,
  BillingCheckRepository,
  LedgerRepository,
  ReservationsRepository,
  StatementsRepository,
  StorageMeterRepository,
  TopUpsRepository,
];

@Module({
  imports: [TypeOrmModule.forFeature(ENTITIES)],
  controllers: [BillingController, TopUpsController],
  providers: [
    ...REPOSITORIES,
    AccountsService,
    AdmissionService,
    BillingCheck,
    BillingOperations,
    BillingOverrides,
    BillingService,
    FeesService,
    LedgerService,
    PeriodsService,
    PlansService,
    PriceList,
    ReservationGauges,
    StorageAccrual,
    StorageMeter,
    TopUpPayments,
    TopUpsService,
    UsageService,
    {
      provide: PaymentProvider,
      inject: [PaymentConfig],
      useFactory: (config: PaymentConfig): PaymentProvider =>
        config.provider === 'stripe' ? new StripePayments(config.stripe) : new ManualPayments(),
    },
  ],
  exports: [BillingOperations, BillingService],
})
export class BillingModule {}
