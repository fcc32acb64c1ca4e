import { toPlanOfferResponse, toPricesResponse } from '#modules/billing';
import { type ServiceResponse } from './dto/service.response';
import { type Settings } from './settings';

export const toServiceResponse = ({ tariff, ...settings }: Settings): ServiceResponse => ({
  version: settings.version,
  base_url: settings.baseUrl,
  install_base_url: settings.installBaseUrl,
  sign_up: settings.signUp,
  captcha: settings.captcha,
  mail: settings.mail,
  max_upload_bytes: settings.maxUploadBytes,
  own_storage: [...settings.ownStorage],
  billing: tariff.billing,
  payment_provider: tariff.paymentProvider,
  plans: tariff.plans.map(toPlanOfferResponse),
  prices: toPricesResponse(tariff.prices),
});
