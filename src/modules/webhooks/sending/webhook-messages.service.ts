import { Injectable } from '@nestjs/common';
import { type RecordedChange, type Viewer } from '#kernel/audit/change';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { Sealer } from '#infra/crypto/sealer';
import { isDatabaseUnavailable } from '#infra/database/database-errors';
import { Logger } from '#infra/logging/logger';
import { DeliveriesRepository, type WebhookDeliveryEntity } from '../deliveries/deliveries.repository';
import { type WebhookEntity } from '../endpoints/webhooks.repository';
import { type MessageContext, renderMessage } from '../messages';
import { bodyContext, PING, type SentChange } from '../webhook';
import { type WebhookEvent } from '../webhook-event';
import { boundedEvent } from './bounded-event';
import { WebhookCreatorsService } from './webhook-creators.service';
import { WebhookSubjects } from './webhook-subjects';

interface Rendered {
  readonly event: WebhookEvent;
  readonly body: string;
}

const NO_CONTEXT: MessageContext = {
  projectName: null,
  organizationName: '',
  buildUrl: null,
  installUrl: null,
  previousSizeBytes: null,
};

/** Writes the messages of webhooks, each once: it is kept, so that every attempt sends the same bytes. */
@Injectable()
export class WebhookMessagesService {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly creators: WebhookCreatorsService,
    private readonly subjects: WebhookSubjects,
    private readonly sealer: Sealer,
    private readonly logger: Logger,
  ) {}

  /** The message about an event. A message that an interrupted attempt has written is returned as it is. */
  async of(
    ctx: RequestContext,
    webhook: WebhookEntity,
    viewer: Viewer,
    change: RecordedChange,
  ): Promise<{ readonly delivery: WebhookDeliveryEntity; readonly isBroken: boolean }> {
    const written = await this.deliveries.findAt(ctx, webhook.id, change.position);
    if (written) return { delivery: written, isBroken: false };
    const rendered = await this.tryRender(ctx, webhook, viewer, change);
    const event = rendered?.event ?? eventOf(webhook, change);
    const body = rendered?.body ?? JSON.stringify(event);
    const delivery = await this.insert(ctx, webhook, { event, body }, change.position);
    return { delivery, isBroken: rendered === null };
  }

  /** The message of a test: the newest event of a type, or a greeting. Its id is a new one, so that it is not taken for the event. */
  async ofTest(
    ctx: RequestContext,
    webhook: WebhookEntity,
    viewer: Viewer,
    change: RecordedChange | null,
  ): Promise<WebhookDeliveryEntity> {
    const { event, context } = change
      ? await this.read(ctx, webhook, viewer, change)
      : { event: pingOf(ctx, webhook), context: NO_CONTEXT };
    const test: WebhookEvent = { ...event, id: `evt_${newId()}`, test: true };
    return this.insert(ctx, webhook, { event: test, body: renderMessage(webhook.format, test, context) }, null);
  }

  /** The message about downloads, with an id of its own. Null when it cannot be written. */
  async ofCount(
    tx: RequestContext,
    webhook: WebhookEntity,
    viewer: Viewer,
    change: SentChange,
  ): Promise<WebhookDeliveryEntity | null> {
    const rendered = await this.tryRender(tx, webhook, viewer, { ...change, id: newId() });
    return rendered && this.insert(tx, webhook, rendered, null);
  }

  bodyOf({ id, bodySealed }: WebhookDeliveryEntity): Buffer {
    return this.sealer.open(bodySealed, bodyContext(id));
  }

  /** Null when the event cannot be shown, because of a fault of this service. */
  private async tryRender(
    ctx: RequestContext,
    webhook: WebhookEntity,
    viewer: Viewer,
    change: SentChange,
  ): Promise<Rendered | null> {
    try {
      const { event, context } = await this.read(ctx, webhook, viewer, change);
      return { event, body: renderMessage(webhook.format, event, context) };
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      const { type, position } = change;
      this.logger.error({ err: error, webhookId: webhook.id, type, position }, 'An event could not be rendered');
      return null;
    }
  }

  private async read(ctx: RequestContext, webhook: WebhookEntity, viewer: Viewer, change: SentChange) {
    const { organizationId, includeLinks } = webhook;
    const reader = this.creators.contextOf(ctx, viewer, change, includeLinks);
    const { actor, data, context } = await this.subjects.read(reader, organizationId, change, { includeLinks });
    return { event: boundedEvent({ ...eventOf(webhook, change), actor, data }), context };
  }

  private insert(
    ctx: RequestContext,
    { id: webhookId, organizationId }: WebhookEntity,
    { event, body }: Rendered,
    position: number | null,
  ): Promise<WebhookDeliveryEntity> {
    const id = newId();
    return this.deliveries.insert(ctx, {
      id,
      organizationId,
      webhookId,
      position: position === null ? null : String(position),
      eventId: event.id,
      eventType: event.type,
      bodySealed: this.sealer.seal(Buffer.from(body), bodyContext(id)),
    });
  }
}

const eventOf = ({ organizationId }: WebhookEntity, change: SentChange): WebhookEvent => ({
  id: `evt_${change.id}`,
  type: change.type,
  timestamp: change.time.toISOString(),
  organization_id: organizationId,
  project_id: change.projectId,
  position: change.position,
  actor: { kind: change.actorKind, name: change.actorLabel },
  data: {},
});

const pingOf = (ctx: RequestContext, { organizationId, projectId, cursor }: WebhookEntity): WebhookEvent => ({
  id: '',
  type: PING,
  timestamp: ctx.clock.now().toISOString(),
  organization_id: organizationId,
  project_id: projectId,
  position: Number(cursor),
  actor: { kind: 'system', name: null },
  data: {},
});
