import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '#infra/jobs/jobs';
import { DeliveriesRepository } from './deliveries/deliveries.repository';
import { WebhooksRepository } from './endpoints/webhooks.repository';

/** Deletes deliveries after 30 days, and previous secrets after their day. */
@Injectable()
export class WebhookPruningService implements OnModuleInit {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly webhooks: WebhooksRepository,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('webhooks.prune', '37 3 * * *', async (ctx) => {
      await this.deliveries.prune(ctx);
      await this.webhooks.dropOldSecrets(ctx);
    });
  }
}
