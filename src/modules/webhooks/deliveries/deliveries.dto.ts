import { ApiSchema } from '@nestjs/swagger';
import {
  BlankIsAbsent,
  BooleanField,
  EnumField,
  IdField,
  IntegerField,
  TextField,
  TimeField,
} from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import { OrganizationPageQuery } from '#infra/http/dto/scope-query';
import { AUDITED_TYPES, DELIVERY_ERRORS, type DeliveryError } from '../webhook';
import { DELIVERY_STATES, type DeliveryState } from './deliveries.repository';

export class ListDeliveriesQuery extends OrganizationPageQuery {
  @BlankIsAbsent()
  @EnumField(DELIVERY_STATES, {
    optional: true,
    name: 'WebhookDeliveryState',
    description: 'Lists only the deliveries in this state.',
  })
  state?: DeliveryState;
}

@ApiSchema({ description: 'What a test sends.' })
export class TestWebhookRequest {
  @EnumField(AUDITED_TYPES, {
    optional: true,
    example: 'build.uploaded',
    description: 'Sends the newest event of this type. Absent: a greeting of the type `webhook.ping`.',
  })
  type?: string;
}

@ApiSchema({ description: 'A message of a webhook. It is kept for 30 days; of each webhook, the last 1,000.' })
export class WebhookDeliveryResponse {
  @IdField({ of: 'webhook delivery' })
  id: string;

  @IdField({ of: 'webhook' })
  webhook_id: string;

  @IntegerField({
    min: 1,
    nullable: true,
    example: 4711,
    description:
      "The event's place in the audit feed of the organization. `null` for a test and for `downloads.counted`.",
  })
  position: number | null;

  @TextField({
    max: 60,
    example: 'evt_01a1fa20-40a2-715d-9472-b87d399ebdbc',
    description: 'The id of the message, the header `webhook-id`: the same in every attempt.',
  })
  event_id: string;

  @TextField({ max: 100, example: 'build.uploaded', description: 'The type of the event.' })
  event_type: string;

  @BooleanField({ example: false, description: 'Whether it is a test.' })
  test: boolean;

  @EnumField(DELIVERY_STATES, {
    name: 'WebhookDeliveryState',
    example: 'delivered',
    description:
      '`pending`: not accepted yet, and tried again. `delivered`: accepted with a status from 200 to 299. `failed`: not tried again by itself.',
  })
  state: DeliveryState;

  @IntegerField({ min: 0, example: 1, description: 'The number of attempts.' })
  attempts: number;

  @IntegerField({
    min: 100,
    nullable: true,
    example: 204,
    description: 'The status of the last response. `null` without one.',
  })
  last_status: number | null;

  @EnumField(DELIVERY_ERRORS, {
    nullable: true,
    name: 'WebhookError',
    example: null,
    description:
      'Why the last attempt failed: the status of the response (`status`), no response within 15 seconds (`timeout`), a host that does not exist or is not allowed (`not_public`), its certificate (`tls`), the connection (`connection`), a fault of this service (`internal`), or a test or redelivery that found no free slot within two minutes and was not attempted (`busy`): send it again. `null` when it succeeded.',
  })
  last_error: DeliveryError | null;

  @IntegerField({
    min: 0,
    nullable: true,
    example: 182,
    description: 'The duration of the last attempt, in milliseconds.',
  })
  last_ms: number | null;

  @TimeField({ nullable: true, description: 'When the last attempt ended. `null` before the first one.' })
  last_attempt_at: string | null;

  @TimeField({ description: 'When the message was written.' })
  created_at: string;
}

@ApiSchema({ description: 'A message of a webhook, with what was sent and received.' })
export class WebhookDeliveryDetailResponse extends WebhookDeliveryResponse {
  @TextField({
    max: 32_768,
    example: '{"id":"evt_01a1fa20-40a2-715d-9472-b87d399ebdbc","type":"build.uploaded"}',
    description: 'The body of the request. Tokens of install links are masked.',
  })
  body: string;

  @TextField({
    max: 1024,
    nullable: true,
    example: 'ok',
    description: 'The first 1,024 bytes of the last response. `null` when it had no body.',
  })
  answer: string | null;
}

export class WebhookDeliveryPage extends PageOf(WebhookDeliveryResponse) {}
