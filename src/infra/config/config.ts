import { AndroidConfig } from './sections/android-config';
import { BillingConfig, PaymentConfig } from './sections/billing-config';
import { CdnConfig } from './sections/cdn-config';
import { QuotaConfig, RateLimitConfig, UploadConfig } from './sections/limits-config';
import { MailConfig } from './sections/mail-config';
import { MetricsConfig, TracingConfig } from './sections/observability-config';
import { RetentionConfig } from './sections/retention-config';
import { SecretsConfig } from './sections/secrets-config';
import { DatabaseConfig, HttpConfig, RuntimeConfig } from './sections/server-config';
import { CaptchaConfig, SignUpConfig } from './sections/sign-up-config';
import { StorageConfig } from './sections/storage-config';
import { WebhookConfig } from './sections/webhook-config';

export { AndroidConfig } from './sections/android-config';
export { BillingConfig, PaymentConfig } from './sections/billing-config';
export { CdnConfig } from './sections/cdn-config';
export { QuotaConfig, RateLimitConfig, UploadConfig } from './sections/limits-config';
export { MailConfig } from './sections/mail-config';
export { MetricsConfig, TracingConfig } from './sections/observability-config';
export { RetentionConfig } from './sections/retention-config';
export { SecretsConfig } from './sections/secrets-config';
export { DatabaseConfig, HttpConfig, RuntimeConfig } from './sections/server-config';
export { CaptchaConfig, SignUpConfig } from './sections/sign-up-config';
export { StorageConfig } from './sections/storage-config';
export { WebhookConfig } from './sections/webhook-config';

/** All configuration classes, one per topic. Inject the class of a topic, not `Config`. */
export const CONFIG_CLASSES = [
  RuntimeConfig,
  HttpConfig,
  DatabaseConfig,
  MailConfig,
  SecretsConfig,
  StorageConfig,
  CdnConfig,
  UploadConfig,
  CaptchaConfig,
  SignUpConfig,
  RateLimitConfig,
  RetentionConfig,
  QuotaConfig,
  AndroidConfig,
  WebhookConfig,
  BillingConfig,
  PaymentConfig,
  MetricsConfig,
  TracingConfig,
] as const;
