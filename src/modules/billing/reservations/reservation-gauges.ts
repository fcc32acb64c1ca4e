import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sample } from '#infra/metrics/gauge-source';
import { Metrics } from '#infra/metrics/metrics';
import { ReservationsRepository } from './reservations.repository';

/** Exposes the count and the sum of the active reservations of all organizations. */
@Injectable()
export class ReservationGauges implements OnModuleInit {
  constructor(
    private readonly reservations: ReservationsRepository,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.watch({
      source: 'reservations',
      gauges: ['agate_reservations_active', 'agate_reservations_micro_usd'],
      read: async (ctx) => {
        const { count, amountMicroUsd } = await this.reservations.totalActive(ctx);
        return [
          sample('agate_reservations_active', count, {}),
          sample('agate_reservations_micro_usd', Number(amountMicroUsd), {}),
        ];
      },
    });
  }
}
