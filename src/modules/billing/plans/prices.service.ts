import { Injectable } from '@nestjs/common';
import { type Meter, type Prices } from '#kernel/billing/pricing';
import { BillingConfig } from '#infra/config/config';

/** The configured prices of the meters. */
@Injectable()
export class PricesService {
  readonly all: Prices;

  constructor(config: BillingConfig) {
    this.all = {
      storage: BigInt(config.storagePriceMicroUsd),
      upload: BigInt(config.uploadPriceMicroUsd),
      download: BigInt(config.downloadPriceMicroUsd),
    };
  }

  of(meter: Meter): bigint {
    return this.all[meter];
  }
}
