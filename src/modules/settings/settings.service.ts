import { Injectable } from '@nestjs/common';
import { CaptchaConfig, HttpConfig, MailConfig, SignUpConfig, UploadConfig } from '#infra/config/config';
import { programVersion } from '#infra/lifecycle/program-version';
import { TariffService } from '#modules/billing';
import { OWN_STORES, type Settings } from './settings';

/** Reads the settings once: they do not change while the process runs. */
@Injectable()
export class SettingsService {
  readonly settings: Settings;

  constructor(
    http: HttpConfig,
    signUp: SignUpConfig,
    captcha: CaptchaConfig,
    mail: MailConfig,
    upload: UploadConfig,
    tariff: TariffService,
  ) {
    this.settings = {
      version: programVersion(),
      baseUrl: http.baseUrl,
      installBaseUrl: http.installBaseUrl,
      signUp: signUp.mode,
      captcha: captcha.provider,
      mail: mail.url === undefined ? 'written' : 'sent',
      maxUploadBytes: upload.maxBytes,
      ownStorage: OWN_STORES,
      tariff: tariff.current,
    };
  }
}
