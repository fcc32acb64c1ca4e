import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE } from '#infra/http/dto/example';
import { IntegerFormField } from '#infra/http/dto/fields';
import { OrganizationQuery } from '#infra/http/dto/scope-query';

const id = (what: string, example: string): PropertyDecorator =>
  ApiPropertyOptional({ type: 'string', format: 'uuid', example, description: `The ${what} that changed.` });

export class EventsQuery extends OrganizationQuery {
  @IntegerFormField({
    optional: true,
    min: 0,
    max: 60,
    example: 15,
    description:
      'A stream without `Last-Event-ID` begins with the events of this many seconds before, or with `resync` when they are more than 500. For a client that reads the lists while it opens the stream.',
  })
  recent_seconds?: number;
}

@ApiSchema({
  description:
    'The data of a server-sent event. Ids that do not belong to the change are absent. It contains no names and no addresses: read the changed resource through its own routes.',
})
export class EventResponse {
  @ApiProperty({
    type: 'string',
    example: 'build.uploaded',
    description:
      'A type of the audit feed; or `resync` (read everything again, because events were missed) or `closing` (the stream ends). Ignore values that you do not know.',
  })
  type: string;

  @ApiPropertyOptional({
    type: 'string',
    enum: ['credential', 'access', 'room', 'shutdown'],
    example: 'shutdown',
    description:
      'Why the stream ends, with `closing`: the credential has expired or was revoked (`credential`), the caller may no longer read the organization (`access`), others need the place in a full process (`room`: reconnect later), or the process stops (`shutdown`: reconnect).',
  })
  reason?: string;

  @ApiPropertyOptional({
    type: 'string',
    format: 'uuid',
    example: EXAMPLE.ids.project,
    description: 'The project of the change.',
  })
  project_id?: string;

  @id('build', EXAMPLE.ids.build)
  build_id?: string;

  @id('channel', EXAMPLE.ids.channel)
  channel_id?: string;

  @id('tester', EXAMPLE.ids.tester)
  tester_id?: string;

  @id('release', EXAMPLE.ids.release)
  release_id?: string;

  @id('upload', EXAMPLE.ids.upload)
  upload_id?: string;

  @id('token', EXAMPLE.ids['project access token'])
  token_id?: string;

  @id('invitation', EXAMPLE.ids.invitation)
  invitation_id?: string;

  @id('webhook', EXAMPLE.ids.webhook)
  webhook_id?: string;

  @id('member', EXAMPLE.ids.member)
  developer_id?: string;
}
