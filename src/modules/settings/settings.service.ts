import { Injectable } from '@nestjs/common';
import { CaptchaConfig, HttpConfig, MailConfig, SignUpConfig, UploadConfig } from '#infra/config/config';
import { programVersion } from '#infra/lifecycle/program-version';
import { type Tariff, TariffService } from '#modules/billing';

/** The way in which mails leave the service: through a mail server, or into files. */
export const MAIL_DELIVERIES = ['sent', 'written'] as const;
export type MailDelivery = (typeof MAIL_DELIVERIES)[number];

/** The values of `SIGN_UP`; `domains` stands for a list of e-mail domains. */
export const SIGN_UP_MODES = ['open', 'invited', 'domains', 'closed'] as const;
export type SignUpMode = (typeof SIGN_UP_MODES)[number];

/** The kinds of storage account that an organization can connect. */
export const OWN_STORES = ['s3', 'azure'] as const;
export type OwnStore = (typeof OWN_STORES)[number];

/** The settings of the service that everyone may know. */
export interface Settings {
  readonly version: string;
  readonly baseUrl: string;
  readonly installBaseUrl: string;
  readonly signUp: SignUpMode;
  readonly captcha: 'none' | 'altcha';
  readonly mail: MailDelivery;
  readonly mcp: 'on' | 'off';
  readonly maxUploadBytes: number;
  readonly ownStorage: readonly OwnStore[];
  readonly tariff: Tariff;
}

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
      mcp: http.mcp,
      maxUploadBytes: upload.maxBytes,
      ownStorage: OWN_STORES,
      tariff: tariff.current,
    };
  }
}
