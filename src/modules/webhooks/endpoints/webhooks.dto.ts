import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDefined, IsObject, ValidateIf, ValidateNested } from 'class-validator';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { BranchPatternsField } from '#infra/http/dto/branch-patterns-field';
import {
  BlankIsAbsent,
  BooleanField,
  EnumField,
  EnumSetField,
  IdField,
  IdSetField,
  IntegerField,
  TextField,
  TimeField,
} from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import { OrganizationPageQuery, OrganizationQuery } from '#infra/http/dto/scope-query';
import {
  DELIVERY_ERRORS,
  type DeliveryError,
  OFF_REASONS,
  type OffReason,
  WEBHOOK_STATES,
  WEBHOOK_TYPES,
  type WebhookState,
} from '../webhook';
import { WEBHOOK_FORMATS, type WebhookFormat } from '../webhook-event';

const MAX_CHANNELS = 50;

const ProjectField = (description: string): PropertyDecorator =>
  IdField({ optional: true, of: 'project', description });

export class WebhookScopeQuery extends OrganizationQuery {
  @BlankIsAbsent()
  @ProjectField('The project whose events it sends. Absent: it sends the events of the whole organization.')
  project_id?: string;
}

export class ListWebhooksQuery extends OrganizationPageQuery {
  @BlankIsAbsent()
  @ProjectField('Lists only the webhooks of this project. Absent: all of the organization, for ADMIN.')
  project_id?: string;
}

@ApiSchema({
  description:
    'Restricts the events that have a channel, a platform or a branch. Events without such a property pass. Absent and empty lists restrict nothing.',
})
export class WebhookFilterRequest {
  @IdSetField({
    optional: true,
    min: 0,
    max: MAX_CHANNELS,
    of: 'channel',
    description: 'Of the events that name a channel, only those of these channels.',
  })
  channel_ids?: string[];

  @EnumSetField(PLATFORMS, { min: 0, optional: true, description: 'Only events of builds for these platforms.' })
  platforms?: Platform[];

  @BranchPatternsField({
    description: 'Only events of builds from these branches. A build without a branch is from none of them.',
  })
  branches?: string[];
}

const NameField = (optional: boolean): PropertyDecorator =>
  TextField({ optional, max: 100, example: 'Team chat', description: 'Your name for the webhook.' });

const UrlField = (optional: boolean): PropertyDecorator =>
  TextField({
    optional,
    min: 8,
    max: 2_000,
    example: 'https://hooks.example.com/agate/k7Qm',
    description:
      'Where messages are sent: an https URL with a public address. It is stored encrypted, and only its host is shown again. Operators can allow private hosts.',
  });

const FormatField = (optional: boolean): PropertyDecorator =>
  EnumField(WEBHOOK_FORMATS, {
    optional,
    name: 'WebhookFormat',
    description:
      'The form of the messages: `standard` is the event as JSON, the others are messages for chats. `slack` is also for Mattermost. Default: `standard`.',
  });

const TypesField = (optional: boolean): PropertyDecorator =>
  EnumSetField(WEBHOOK_TYPES, {
    optional,
    example: ['build.uploaded', 'release.promoted'],
    description: 'The types of events that are sent. Silent releases (`notify: false`) are sent, too.',
  });

const LinksField = (optional: boolean): PropertyDecorator =>
  BooleanField({
    optional,
    example: false,
    description:
      'Whether messages contain install links. These are credentials: with one, everyone can install the build. Default: `false`.',
  });

const FilterField =
  (optional: boolean): PropertyDecorator =>
  (target, property) => {
    for (const decorate of [
      ApiProperty({ type: WebhookFilterRequest, required: !optional, description: 'Restricts the events further.' }),
      ...(optional ? [ValidateIf((_: object, value: unknown) => value !== undefined)] : []),
      IsDefined(),
      IsObject(),
      ValidateNested(),
      Type(() => WebhookFilterRequest),
    ])
      decorate(target, property);
  };

@ApiSchema({ description: 'A new webhook.' })
export class CreateWebhookRequest {
  @NameField(false)
  name: string;

  @UrlField(false)
  url: string;

  @FormatField(true)
  format?: WebhookFormat;

  @TypesField(false)
  types: string[];

  @FilterField(true)
  filter?: WebhookFilterRequest;

  @LinksField(true)
  include_links?: boolean;
}

@ApiSchema({ description: 'Changes of a webhook. Absent fields stay as they are.' })
export class UpdateWebhookRequest {
  @NameField(true)
  name?: string;

  @UrlField(true)
  url?: string;

  @FormatField(true)
  format?: WebhookFormat;

  @TypesField(true)
  types?: string[];

  @FilterField(true)
  filter?: WebhookFilterRequest;

  @LinksField(true)
  include_links?: boolean;

  @EnumField(['off'], {
    optional: true,
    description: '`off` pauses the webhook. Resume it with `POST /webhooks/{webhook_id}/resume`.',
  })
  state?: 'off';
}

@ApiSchema({ description: 'Where a webhook continues.' })
export class ResumeWebhookRequest {
  @EnumField(['now', 'where_it_stopped'], {
    description: '`where_it_stopped` sends the events since then, in their order. `now` passes over them.',
  })
  from: 'now' | 'where_it_stopped';
}

@ApiSchema({ description: 'The filter of a webhook. Empty lists restrict nothing.' })
export class WebhookFilterResponse {
  @IdSetField({ min: 0, max: MAX_CHANNELS, of: 'channel', description: 'The channels.' })
  channel_ids: string[];

  @ApiProperty({ enum: PLATFORMS, isArray: true, example: ['ios'], description: 'The platforms.' })
  platforms: Platform[];

  @ApiProperty({ type: [String], example: ['main', 'release/*'], description: 'The patterns of branches.' })
  branches: string[];
}

@ApiSchema({ description: 'An endpoint that is informed of events. Its URL and secret are not shown.' })
export class WebhookResponse {
  @IdField({ of: 'webhook' })
  id: string;

  @IdField({ of: 'organization' })
  organization_id: string;

  @IdField({
    of: 'project',
    nullable: true,
    description: 'The project whose events it sends. `null`: those of the whole organization.',
  })
  project_id: string | null;

  @TextField({ max: 100, example: 'Team chat', description: 'The name of the webhook.' })
  name: string;

  @TextField({
    max: 300,
    example: 'hooks.example.com',
    description: 'The host of its URL, with a port that is not usual.',
  })
  host: string;

  @EnumField(WEBHOOK_FORMATS, { name: 'WebhookFormat', description: 'The form of the messages.' })
  format: WebhookFormat;

  @ApiProperty({
    type: [String],
    example: ['build.uploaded', 'release.promoted'],
    description: 'The types of events that are sent.',
  })
  types: string[];

  @ApiProperty({ type: WebhookFilterResponse, description: 'Restricts the events further.' })
  filter: WebhookFilterResponse;

  @BooleanField({ example: false, description: 'Whether messages contain install links.' })
  include_links: boolean;

  @EnumField(WEBHOOK_STATES, { name: 'WebhookState', description: 'Whether it sends events.' })
  state: WebhookState;

  @EnumField(OFF_REASONS, {
    nullable: true,
    name: 'WebhookOffReason',
    example: null,
    description:
      'Why it is off: a person paused it (`paused`), the endpoint accepted nothing for five days (`failing`) or responded with 410 (`gone`), or its creator may no longer read what it sends (`creator_lost_access`). `null` when it is on.',
  })
  off_reason: OffReason | null;

  @IntegerField({
    min: 0,
    example: 0,
    description: 'The number of events of the organization that it has not looked at yet, unwanted ones included.',
  })
  behind: number;

  @TimeField({
    nullable: true,
    example: null,
    description: 'When it failed first since the last success. `null`: it works.',
  })
  failing_since: string | null;

  @TimeField({
    nullable: true,
    example: null,
    description: 'When it is tried again after a failure. `null`: it does not wait.',
  })
  next_attempt_at: string | null;

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
    description: 'Why the last attempt failed. `null` when it succeeded, and before the first one.',
  })
  last_error: DeliveryError | null;

  @TimeField({ nullable: true, description: 'When the last attempt ended. `null` before the first one.' })
  last_attempt_at: string | null;

  @TimeField({
    nullable: true,
    example: null,
    description: 'Until when the previous secret signs, too. `null` when it does not.',
  })
  previous_secret_until: string | null;

  @IdField({
    nullable: true,
    of: 'developer',
    description: 'The developer by whose roles it sends. `null` when their account was deleted.',
  })
  created_by: string | null;

  @TextField({
    max: 254,
    nullable: true,
    example: 'Ann',
    description:
      'The name of that developer, or the e-mail address of one without a name. `null` when their account was deleted.',
  })
  created_by_label: string | null;

  @TimeField({ description: 'When it was created.' })
  created_at: string;
}

@ApiSchema({ description: 'A webhook with its secret, which only this response contains.' })
export class NewWebhookResponse extends WebhookResponse {
  @TextField({
    max: 60,
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    description: 'The secret with which messages are signed, in the form of the Standard Webhooks.',
  })
  secret: string;
}

export class WebhookPage extends PageOf(WebhookResponse) {}
