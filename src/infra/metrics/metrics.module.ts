import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics';
import { MetricsEndpoint, MetricsServer } from './metrics-server';

/** Every process counts; the configuration decides where it can be scraped. */
@Global()
@Module({ providers: [Metrics, MetricsEndpoint, MetricsServer], exports: [Metrics, MetricsEndpoint, MetricsServer] })
export class MetricsModule {}
