import { Injectable } from '@nestjs/common';
import { type Meter, type Prices } from '#kernel/billing/pricing';
import { BillingConfig } from '#infra/config/config';

/** The configured prices of the meters; zero while billing is off, so that usage is counted and costs nothing. */
@Injectable()
export class PricesService {
  readonly all: Prices;

  constructor(config: BillingConfig) {
    const price = (microUsd: number): bigint => (config.isMetered ? BigInt(microUsd) : 0n);
    this.all = {
      storage: price(config.storagePriceMicroUsd),
      upload: price(config.uploadPriceMicroUsd),
      download: price(config.downloadPriceMicroUsd),
    };
  }

  of(meter: Meter): bigint {
    return this.all[meter];
  }
}
