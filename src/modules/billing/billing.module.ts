import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PaymentConfig } from '#infra/config/config';
import { BillingAccountsRepository } from './accounts/billing-accounts.repository';
import { BillingAccountsService } from './accounts/billing-accounts.service';
import { ReservationsService } from './reservations/reservations.service';
import { BillingAccountEntity } from './accounts/billing-account.entity';
import { BillingStatementEntity } from './statements/billing-statement.entity';
import { BillingCheck } from './consistency-check/billing-check';
import { BillingCheckRepository } from './consistency-check/billing-check.repository';
import { OperatorBillingService } from './operator-billing.service';
import { BillingOverrides } from './billing-overrides';
import { BillingErasure } from './billing.account-data';
import { BillingController } from './billing.controller';
import { BillingService } from './billing.service';
import { FeesService } from './plans/fees.service';
import { LedgerEntryEntity } from './ledger/ledger-entry.entity';
import { LedgerRepository } from './ledger/ledger.repository';
import { LedgerService } from './ledger/ledger.service';
import { ManualPayments } from './top-ups/manual-payments';
import { PaymentProvider } from './top-ups/payment-provider';
import { PeriodsService } from './statements/periods.service';
import { PlansService } from './plans/plans.service';
import { PriceList } from './plans/price-list';
import { ReservationEntity } from './reservations/reservation.entity';
import { ReservationGauges } from './reservations/reservation-gauges';
import { ReservationsRepository } from './reservations/reservations.repository';
import { StatementsRepository } from './statements/statements.repository';
import { StorageAccrualService } from './storage-metering/storage-accrual.service';
import { StorageIntervalEntity } from './storage-metering/storage-interval.entity';
import { StorageMeterRepository } from './storage-metering/storage-meter.repository';
import { StorageMeterService } from './storage-metering/storage-meter.service';
import { StoredBuildEntity } from './storage-metering/stored-build.entity';
import { StripePayments } from './top-ups/stripe-payments';
import { TopUpEntity } from './top-ups/top-up.entity';
import { TopUpPayments } from './top-ups/top-up-payments';
import { TopUpsController } from './top-ups/top-ups.controller';
import { TopUpsRepository } from './top-ups/top-ups.repository';
import { TopUpsService } from './top-ups/top-ups.service';
import { UsageService } from './usage/usage.service';

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
  BillingAccountsRepository,
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
    BillingAccountsService,
    ReservationsService,
    BillingCheck,
    BillingErasure,
    OperatorBillingService,
    BillingOverrides,
    BillingService,
    FeesService,
    LedgerService,
    PeriodsService,
    PlansService,
    PriceList,
    ReservationGauges,
    StorageAccrualService,
    StorageMeterService,
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
  exports: [BillingErasure, OperatorBillingService, BillingService],
})
export class BillingModule {}
