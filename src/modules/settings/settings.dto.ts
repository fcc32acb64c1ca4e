import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EnumField, IntegerField, TextField } from '#infra/http/dto/fields';
import {
  PAYMENT_PROVIDERS,
  type PaymentProviderName,
  PlanOfferResponse,
  PricesResponse,
  toPlanOfferResponse,
  toPricesResponse,
} from '#modules/billing';
import {
  MAIL_DELIVERIES,
  type MailDelivery,
  OWN_STORES,
  type OwnStore,
  type Settings,
  SIGN_UP_MODES,
  type SignUpMode,
} from './settings.service';

@ApiSchema({ description: 'The settings of the service that clients need. They are the same for every caller.' })
export class ServiceResponse {
  @TextField({ max: 100, example: '1.4.0', description: 'The version of the service.' })
  version: string;

  @TextField({ max: 2048, example: 'https://agate.example.com', description: 'The public URL of the service.' })
  base_url: string;

  @TextField({
    max: 2048,
    example: 'https://install.example.com',
    description: 'The public URL of install pages. Often the same as `base_url`.',
  })
  install_base_url: string;

  @EnumField(SIGN_UP_MODES, {
    example: 'open',
    description:
      'Who may sign up. `open`: everyone. `invited`: people whom an organization invited. `domains`: people with an address in one of the domains that the operator chose; which ones is not public. `closed`: only the operator creates accounts.',
  })
  sign_up: SignUpMode;

  @EnumField(['none', 'altcha'], {
    example: 'altcha',
    description:
      'The captcha that a sign-up requires. `altcha`: the solution of a challenge of `GET /captcha`. `none`: nothing. A login can require a solution in both cases.',
  })
  captcha: 'none' | 'altcha';

  @EnumField(MAIL_DELIVERIES, {
    example: 'sent',
    description:
      '`sent`: mails go to a mail server. `written`: the service has none and writes them to files, which only its operator can read.',
  })
  mail: MailDelivery;

  @EnumField(['on', 'off'], {
    example: 'on',
    description: '`on`: agents can use the MCP server at `{base_url}/mcp`. `off`: the operator has switched it off.',
  })
  mcp: 'on' | 'off';

  @IntegerField({ min: 1, example: 2_147_483_648, description: 'The maximum size of an artifact, in bytes.' })
  max_upload_bytes: number;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: [...OWN_STORES] },
    example: ['s3', 'azure'],
    description:
      'The kinds of store in which an organization can keep its artifacts itself, on a plan with the feature `own_storage`.',
  })
  own_storage: OwnStore[];

  @EnumField(['metered', 'off'], {
    example: 'metered',
    description:
      '`metered`: organizations pay fees and usage. `off`: nothing is charged, and every plan has every feature.',
  })
  billing: 'metered' | 'off';

  @EnumField(PAYMENT_PROVIDERS, {
    example: 'stripe',
    description: 'How a top-up is paid. `stripe`: on a page of Stripe. `manual`: an operator approves it.',
  })
  payment_provider: PaymentProviderName;

  @ApiProperty({ type: [PlanOfferResponse], description: 'The plans, from the smallest to the largest.' })
  plans: PlanOfferResponse[];

  @ApiProperty({ type: PricesResponse, description: 'The prices of usage on every plan. 0 while `billing` is `off`.' })
  prices: PricesResponse;
}

export const toServiceResponse = ({ tariff, ...settings }: Settings): ServiceResponse => ({
  version: settings.version,
  base_url: settings.baseUrl,
  install_base_url: settings.installBaseUrl,
  sign_up: settings.signUp,
  captcha: settings.captcha,
  mail: settings.mail,
  mcp: settings.mcp,
  max_upload_bytes: settings.maxUploadBytes,
  own_storage: [...settings.ownStorage],
  billing: tariff.billing,
  payment_provider: tariff.paymentProvider,
  plans: tariff.plans.map(toPlanOfferResponse),
  prices: toPricesResponse(tariff.prices),
});
