import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { HttpConfig, PaymentConfig } from '#infra/config/config';
import { BillingAccountEntity, BillingAccountsRepository } from './accounts/billing-accounts.repository';
import { BillingAccountsService } from './accounts/billing-accounts.service';
import { BillingCheckService } from './accounts/billing-check.service';
import { BillingCheckEntity, BillingChecksRepository } from './accounts/billing-checks.repository';
import { OperatorBillingService } from './accounts/operator-billing.service';
import { BillingErasure } from './billing.account-data';
import { BillingController } from './billing.controller';
import { BillingService } from './billing.service';
import { LedgerEntryEntity, LedgerRepository } from './ledger/ledger.repository';
import { LedgerService } from './ledger/ledger.service';
import { FeeWarningsService } from './plans/fee-warnings.service';
import { FeesService } from './plans/fees.service';
import { PlansService } from './plans/plans.service';
import { PricesService } from './plans/prices.service';
import { TariffService } from './plans/tariff.service';
import { ReservationEntity } from './reservations/reservation.entity';
import { ReservationsRepository } from './reservations/reservations.repository';
import { ReservationGauges, ReservationsService } from './reservations/reservations.service';
import { ManualPaymentProvider, type PaymentOrder, PaymentProvider } from './top-ups/payment-provider';
import { TopUpPaymentsService } from './top-ups/top-up-payments.service';
import { TopUpsController } from './top-ups/top-ups.controller';
import { TopUpEntity, TopUpsRepository } from './top-ups/top-ups.repository';
import { TopUpsService } from './top-ups/top-ups.service';
import { PeriodsService } from './usage/periods.service';
import { BillingStatementEntity, StatementsRepository } from './usage/statements.repository';
import { StorageAccrualService } from './usage/storage-accrual.service';
import { StorageIntervalEntity, StorageMeterRepository, StoredBuildEntity } from './usage/storage-meter.repository';
import { StorageMeterService } from './usage/storage-meter.service';
import { StorageMonthEntity, StorageMonthsRepository } from './usage/storage-months.repository';
import { StorageMonthsService } from './usage/storage-months.service';
import { UsageService } from './usage/usage.service';

const ENTITIES = [
  BillingAccountEntity,
  BillingCheckEntity,
  BillingStatementEntity,
  LedgerEntryEntity,
  ReservationEntity,
  StorageIntervalEntity,
  StorageMonthEntity,
  StoredBuildEntity,
  TopUpEntity,
];

const REPOSITORIES = [
  BillingAccountsRepository,
  BillingChecksRepository,
  LedgerRepository,
  ReservationsRepository,
  StatementsRepository,
  StorageMeterRepository,
  StorageMonthsRepository,
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
    StorageMonthsService,
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

/** The dashboard's page that shows the top-up; the start page when the dashboard is not served. */
function returnUrlOf(
  { organizationId, topUpId }: PaymentOrder,
  { stripeReturnUrl }: PaymentConfig,
  { baseUrl, servesDashboard }: HttpConfig,
): string {
  if (stripeReturnUrl !== undefined) return stripeReturnUrl;
  return servesDashboard ? `${baseUrl}/o/${organizationId}/billing?top_up=${topUpId}` : baseUrl;
}
