import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { HttpConfig, PaymentConfig } from '#infra/config/config';
import { BillingAccountEntity } from './accounts/billing-account.entity';
import { BillingAccountsRepository } from './accounts/billing-accounts.repository';
import { BillingAccountsService } from './accounts/billing-accounts.service';
import { BillingErasure } from './billing.account-data';
import { BillingController } from './billing.controller';
import { BillingService } from './billing.service';
import { BillingCheckRepository } from './consistency-check/billing-check.repository';
import { BillingCheckService } from './consistency-check/billing-check.service';
import { LedgerEntryEntity } from './ledger/ledger-entry.entity';
import { LedgerRepository } from './ledger/ledger.repository';
import { LedgerService } from './ledger/ledger.service';
import { FeeWarningsService } from './notices/fee-warnings.service';
import { OperatorBillingService } from './operator-billing.service';
import { FeesService } from './plans/fees.service';
import { PlansService } from './plans/plans.service';
import { PricesService } from './plans/prices.service';
import { ReservationGauges } from './reservations/reservation-gauges';
import { ReservationEntity } from './reservations/reservation.entity';
import { ReservationsRepository } from './reservations/reservations.repository';
import { ReservationsService } from './reservations/reservations.service';
import { BillingStatementEntity } from './statements/billing-statement.entity';
import { PeriodsService } from './statements/periods.service';
import { StatementsRepository } from './statements/statements.repository';
import { StorageAccrualService } from './storage-metering/storage-accrual.service';
import { StorageMeterRepository } from './storage-metering/storage-meter.repository';
import { StorageMeterService } from './storage-metering/storage-meter.service';
import { StorageIntervalEntity, StoredBuildEntity } from './storage-metering/storage-metering.entity';
import { ManualPaymentProvider, type PaymentOrder, PaymentProvider } from './top-ups/payment-provider';
import { TariffService } from './plans/tariff.service';
import { TopUpEntity } from './top-ups/top-up.entity';
import { TopUpPaymentsService } from './top-ups/top-up-payments.service';
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
    BillingCheckService,
    BillingErasure,
    BillingService,
    FeesService,
    FeeWarningsService,
    LedgerService,
    OperatorBillingService,
    PeriodsService,
    PlansService,
    PricesService,
    ReservationGauges,
    ReservationsService,
    StorageAccrualService,
    StorageMeterService,
    TariffService,
    TopUpPaymentsService,
    TopUpsService,
    UsageService,
    {
      provide: PaymentProvider,
      inject: [PaymentConfig, HttpConfig],
      useFactory: (config: PaymentConfig, http: HttpConfig): PaymentProvider =>
        config.provider === 'stripe' ? stripeProvider(config, http) : new ManualPaymentProvider(),
    },
  ],
  exports: [BillingErasure, OperatorBillingService, BillingService, TariffService],
})
export class BillingModule {}

/** Loads Stripe's library, of two hundred modules, only where it is configured. */
function stripeProvider(config: PaymentConfig, http: HttpConfig): PaymentProvider {
  // eslint-disable-next-line @typescript-eslint/no-require-imports, @typescript-eslint/consistent-type-imports -- an import would always load it
  const stripe = require('./top-ups/stripe-payment-provider') as typeof import('./top-ups/stripe-payment-provider');
  const options = { ...config.stripe, returnUrlOf: (order: PaymentOrder) => returnUrlOf(order, config, http) };
  return new stripe.StripePaymentProvider(options);
}

/** The page that shows the top-up; the start page when the dashboard is not served. */
function returnUrlOf(
  { organizationId, topUpId }: PaymentOrder,
  { stripeReturnUrl }: PaymentConfig,
  { baseUrl, servesDashboard }: HttpConfig,
): string {
  if (stripeReturnUrl !== undefined) return stripeReturnUrl;
  return servesDashboard ? `${baseUrl}/o/${organizationId}/billing?top_up=${topUpId}` : baseUrl;
}
