import { IsIn, IsInt, IsOptional, IsString, IsUrl, Max, Min } from 'class-validator';
import { Variable } from '../variable';
import { LOCAL_URL } from './values';

/** An amount in micro-dollars: an integer that JSON can represent exactly. */
const MicroUsd = (): PropertyDecorator => (target, property) => {
  IsInt()(target, property);
  Min(0)(target, property);
  Max(Number.MAX_SAFE_INTEGER)(target, property);
};

/** Prices and limits in micro-dollars (1000000 are one dollar). */
export class BillingConfig {
  @Variable('BILLING', {
    default: 'metered',
    describe:
      '"metered": organizations pay fees and usage. "off": for an installation that serves its own people; every feature without a plan, no fees, no charges, and meters that are only shown.',
  })
  @IsIn(['metered', 'off'])
  billing: 'metered' | 'off';

  @Variable('BUSINESS_DEFAULT_SPEND_CAP_MICRO_USD', {
    default: '100000000',
    describe:
      'Monthly spend cap of an organization that changes to the business plan, and the highest one that its members can set, in micro-dollars.',
  })
  @MicroUsd()
  businessSpendCapMicroUsd: number;

  @Variable('TRIAL_CREDIT_MICRO_USD', {
    default: '5000000',
    describe: 'Credit of a new organization after its first fee, in micro-dollars.',
  })
  @MicroUsd()
  trialCreditMicroUsd: number;

  @Variable('PRICE_STORAGE_MB_MONTH_MICRO_USD', {
    default: '100',
    describe: 'Price of storing one MB (1000000 bytes) for a month, in micro-dollars.',
  })
  @MicroUsd()
  storagePriceMicroUsd: number;

  @Variable('PRICE_UPLOAD_MB_MICRO_USD', { default: '20', describe: 'Price of uploading one MB, in micro-dollars.' })
  @MicroUsd()
  uploadPriceMicroUsd: number;

  @Variable('PRICE_DOWNLOAD_MB_MICRO_USD', {
    default: '120',
    describe: 'Price of downloading one MB, in micro-dollars.',
  })
  @MicroUsd()
  downloadPriceMicroUsd: number;

  get isMetered(): boolean {
    return this.billing === 'metered';
  }
}

/** Payment of top-ups. */
export class PaymentConfig {
  @Variable('PAYMENT_PROVIDER', {
    default: 'manual',
    describe: '"manual": an operator approves top-ups; "stripe": top-ups are paid with Stripe Checkout.',
  })
  @IsIn(['manual', 'stripe'])
  provider: 'manual' | 'stripe';

  @Variable('STRIPE_SECRET_KEY', { secret: true, describe: 'Secret key of the Stripe account.' })
  @IsOptional()
  @IsString()
  stripeSecretKey: string | undefined;

  @Variable('STRIPE_WEBHOOK_SECRET', {
    secret: true,
    describe: 'Signing secret of the Stripe webhook for /api/v1/billing/webhooks/stripe.',
  })
  @IsOptional()
  @IsString()
  stripeWebhookSecret: string | undefined;

  @Variable('STRIPE_API_BASE', {
    default: 'https://api.stripe.com',
    describe: 'URL of the Stripe API, for tests.',
  })
  @IsUrl(LOCAL_URL)
  stripeApiBase: string;

  @Variable('STRIPE_RETURN_URL', {
    describe:
      "URL to which Stripe returns the payer. Default: the organization's billing page of the dashboard; BASE_URL if it is not served.",
  })
  @IsOptional()
  @IsUrl(LOCAL_URL)
  stripeReturnUrl: string | undefined;

  /** Settings of the Stripe client. Valid only with `provider` "stripe", for which startup has checked them. */
  get stripe(): { secretKey: string; webhookSecret: string; apiBase: string } {
    return {
      secretKey: this.stripeSecretKey ?? '',
      webhookSecret: this.stripeWebhookSecret ?? '',
      apiBase: this.stripeApiBase,
    };
  }
}
