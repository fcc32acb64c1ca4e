import { type OpenAPIObject } from '@nestjs/swagger';
import { AUDIT_EVENT_TYPES, type AuditEventType } from '#kernel/audit/audit-event';
import { EXAMPLE } from '#infra/http/dto/example';
import { DOWNLOADS_COUNTED, PING, WEBHOOK_TYPES } from '#modules/webhooks';

type Components = NonNullable<OpenAPIObject['components']>;
type Schemas = NonNullable<Components['schemas']>;
type Parameters = NonNullable<Components['parameters']>;

/** The objects of an event, by the noun of its type. They are null, with `gone`, when they were deleted before the event was sent. */
const OBJECTS: Readonly<Record<string, readonly Subject[]>> = {
  build: ['build'],
  attachment: ['build'],
  release: ['release', 'build', 'channel'],
  channel: ['channel'],
  tester: ['tester', 'channel'],
  downloads: ['build'],
};

type Subject = 'build' | 'release' | 'channel' | 'tester';

const SCHEMAS: Readonly<Record<Subject, string>> = {
  build: 'BuildResponse',
  release: 'ReleaseResponse',
  channel: 'ChannelResponse',
  tester: 'TesterResponse',
};

/** What the format `standard` sends for each event type: the part `webhooks` of the document (OpenAPI 3.1, section 4.8.1). */
export const webhookOperations = (): Readonly<Record<string, object>> =>
  Object.fromEntries(
    [PING, ...WEBHOOK_TYPES].map((type) => [
      type,
      {
        post: {
          operationId: `webhook_${type.replace('.', '_')}`,
          tags: ['Webhooks'],
          summary: meaningOf(type).replace(/\..*$/s, ''),
          description: meaningOf(type),
          security: [],
          parameters: HEADERS.map((name) => ({ $ref: `#/components/parameters/${name}` })),
          requestBody: { required: true, content: { 'application/json': { schema: ref(schemaName(type)) } } },
          responses: {
            '2XX': { description: 'The event was received. Each other status makes the service send it again.' },
            '410': { description: 'The receiver no longer exists: the webhook is turned off.' },
          },
        },
      },
    ]),
  );

/** The messages that are no events of the audit feed. */
const OTHER_MEANINGS: Readonly<Record<string, string>> = {
  [PING]: 'The greeting of the test button.',
  [DOWNLOADS_COUNTED]:
    'A build was downloaded. Sent at most once a minute to each webhook; a message is about one build. `position` is that of the event that was sent before.',
};

const meaningOf = (type: string): string => OTHER_MEANINGS[type] ?? AUDIT_EVENT_TYPES[type as AuditEventType];

/** `BuildUploadedEvent` for `build.uploaded`. */
const schemaName = (type: string): string =>
  `${type
    .split(/[._]/)
    .map((word) => `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`)
    .join('')}Event`;

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

/** The schema of each event, and the part that all have in common. */
export const webhookSchemas = (): Schemas => ({
  WebhookEvent: EVENT,
  ...Object.fromEntries(
    [PING, ...WEBHOOK_TYPES].map((type) => [
      schemaName(type),
      {
        description: meaningOf(type),
        allOf: [
          ref('WebhookEvent'),
          { type: 'object', properties: { type: { type: 'string', enum: [type] }, data: dataOf(type) } },
        ],
      },
    ]),
  ),
});

function dataOf(type: string): object {
  const subjects = OBJECTS[type.split('.')[0] ?? ''] ?? [];
  return {
    type: 'object',
    properties: {
      ...(type === DOWNLOADS_COUNTED && COUNT),
      ...Object.fromEntries(subjects.map((subject) => [subject, { anyOf: [ref(SCHEMAS[subject]), { type: 'null' }] }])),
    },
  };
}

/** What a count of downloads has beside its build. */
const COUNT = {
  build_id: { type: 'string', format: 'uuid', description: 'The build.', example: EXAMPLE.ids.build },
  count: { type: 'integer', minimum: 1, description: 'The number of downloads that began in that time.', example: 12 },
  since: {
    type: 'string',
    format: 'date-time',
    description: 'Downloads after this time are counted.',
    example: '2026-11-20T18:04:00.000Z',
  },
  until: {
    type: 'string',
    format: 'date-time',
    description: 'Downloads up to this time are counted. Those after it are in a later message.',
    example: '2026-11-20T18:05:00.000Z',
  },
};

/** The headers of Standard Webhooks, as parameters. */
export const webhookParameters = (): Parameters => ({
  WebhookId: header(
    'webhook-id',
    'The id of the event: the same in each attempt.',
    'evt_019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10',
  ),
  WebhookTimestamp: header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.', '1795694400'),
  WebhookSignature: header(
    'webhook-signature',
    'Signatures, separated by spaces: `v1,` and the HMAC-SHA256 of id, timestamp and body, joined by full stops. Two for a day after the secret was rotated.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
});

const HEADERS = ['WebhookId', 'WebhookTimestamp', 'WebhookSignature'] as const;

const header = (name: string, description: string, example: string): Parameters[string] => ({
  name,
  in: 'header',
  required: true,
  description,
  example,
  schema: { type: 'string' },
});

const EVENT = {
  type: 'object',
  description: 'The body of a webhook of the format `standard`, at most 20 kB of JSON.',
  required: ['id', 'type', 'timestamp', 'organization_id', 'project_id', 'position', 'actor', 'data'],
  properties: {
    id: {
      type: 'string',
      description: 'The same as the header `webhook-id`.',
      example: 'evt_019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10',
    },
    type: {
      type: 'string',
      description: 'The type of the event: a type of the audit feed, or `downloads.counted`.',
      example: 'build.uploaded',
    },
    timestamp: {
      type: 'string',
      format: 'date-time',
      description: 'When it happened.',
      example: '2026-11-20T18:05:27.861Z',
    },
    organization_id: {
      type: 'string',
      format: 'uuid',
      description: 'The organization in which it happened.',
      example: EXAMPLE.ids.organization,
    },
    project_id: {
      type: ['string', 'null'],
      format: 'uuid',
      description: 'The project of the event. `null` for events of the organization.',
      example: EXAMPLE.ids.project,
    },
    position: {
      type: 'integer',
      description:
        "The place in the organization's audit chain. A receiver that sees a smaller one than before has seen it already.",
      example: 42,
    },
    actor: {
      type: 'object',
      description: 'Who made the change.',
      required: ['kind', 'name'],
      properties: {
        kind: { type: 'string', description: 'The kind of credential, or `system`.', example: 'developer' },
        name: { type: ['string', 'null'], description: 'Their name. `null` when it is unknown.', example: 'Ann' },
      },
    },
    data: {
      type: 'object',
      description:
        'The objects of the event as the API returns them when the message is rendered. `cut` when texts were shortened to keep the size.',
      properties: {
        gone: { type: 'boolean', description: 'Whether an object was deleted before. It is `null` then.' },
        cut: { type: 'boolean', description: 'Whether texts and lists were cut.' },
      },
      additionalProperties: true,
    },
    test: { type: 'boolean', description: 'Whether the test button sent it. Absent otherwise.', example: true },
  },
};
