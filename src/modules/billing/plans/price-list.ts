import { Injectable } from '@nestjs/common';
import { type Meter, type Prices } from '#kernel/billing/pricing';
import { BillingConfig } from '#infra/config/config';

/** What the meters cost here. */
@Injectable()
export class PriceList {
  readonly prices: Prices;

  constructor(config: BillingConfig) {
    this.prices = {
      storage: BigInt(config.storagePriceMicroUsd),
      upload: BigInt(config.uploadPriceMicroUsd),
      download: BigInt(config.downloadPriceMicroUsd),
    };
  }

  of(meter: Meter): bigint {
    return this.prices[meter];
  }
}
