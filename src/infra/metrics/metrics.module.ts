import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics';
import { MetricsEndpoint } from './metrics-endpoint';
import { MetricsServer } from './metrics-server';

/** Counting is everywhere; scraping is where the configuration says. */
@Global()
@Module({ providers: [Metrics, MetricsEndpoint, MetricsServer], exports: [Metrics, MetricsEndpoint, MetricsServer] })
export class MetricsModule {}
