import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SealedColumns } from '#infra/crypto/sealed-columns';
import { AccessModule } from '#modules/access';
import { DevelopersModule } from '#modules/developers';
import { OrganizationsModule } from '#modules/organizations';
import { DeliveriesRepository, WebhookDeliveryEntity } from './deliveries/deliveries.repository';
import { DeliveriesService } from './deliveries/deliveries.service';
import { DeliveriesOfWebhookController } from './deliveries/deliveries-of-webhook.controller';
import { WebhookDeliveriesController } from './deliveries/webhook-deliveries.controller';
import { DownloadCountEntity, DownloadCountsRepository } from './downloads/download-counts.repository';
import { DownloadCountsService } from './downloads/download-counts.service';
import { WebhookAccessService } from './endpoints/webhook-access.service';
import { WebhookHosts } from './endpoints/webhook-hosts';
import { WebhooksController } from './endpoints/webhooks.controller';
import { WebhookEntity, WebhooksRepository } from './endpoints/webhooks.repository';
import { WebhooksService } from './endpoints/webhooks.service';
import { EventSelectionService } from './sending/event-selection.service';
import { SenderRepository } from './sending/sender.repository';
import { WebhookAttemptsService } from './sending/webhook-attempts.service';
import { WebhookClient } from './sending/webhook-client';
import { WebhookCreatorsService } from './sending/webhook-creators.service';
import { WebhookMailsService } from './sending/webhook-mails.service';
import { WebhookMessagesService } from './sending/webhook-messages.service';
import { WebhookRetirementService } from './sending/webhook-retirement.service';
import { WebhookSenderService } from './sending/webhook-sender.service';
import { bodyContext, secretContext, urlContext } from './webhook';
import { WebhookPruningService } from './webhook-pruning.service';
import { WebhooksErasure } from './webhooks.account-data';

/** Informs endpoints of customers of the events of their organizations. */
@Module({
  imports: [
    TypeOrmModule.forFeature([WebhookEntity, WebhookDeliveryEntity, DownloadCountEntity]),
    AccessModule,
    DevelopersModule,
    OrganizationsModule,
  ],
  controllers: [WebhooksController, DeliveriesOfWebhookController, WebhookDeliveriesController],
  providers: [
    DeliveriesRepository,
    DeliveriesService,
    DownloadCountsRepository,
    DownloadCountsService,
    EventSelectionService,
    SenderRepository,
    WebhookAccessService,
    WebhookAttemptsService,
    WebhookClient,
    WebhookCreatorsService,
    WebhookHosts,
    WebhookMailsService,
    WebhookMessagesService,
    WebhookPruningService,
    WebhookRetirementService,
    WebhookSenderService,
    WebhooksErasure,
    WebhooksRepository,
    WebhooksService,
  ],
  exports: [WebhooksErasure],
})
export class WebhooksModule implements OnModuleInit {
  constructor(private readonly sealed: SealedColumns) {}

  onModuleInit(): void {
    this.sealed.register({ table: 'webhook', column: 'url_sealed', key: 'id', contextOf: urlContext });
    this.sealed.register({ table: 'webhook', column: 'secret_sealed', key: 'id', contextOf: secretContext });
    this.sealed.register({ table: 'webhook', column: 'old_secret_sealed', key: 'id', contextOf: secretContext });
    this.sealed.register({ table: 'webhook_delivery', column: 'body_sealed', key: 'id', contextOf: bodyContext });
  }
}
