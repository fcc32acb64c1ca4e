import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE } from '#infra/http/dto/example';
import { IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';

@ApiSchema({ description: 'A named release line of a project. Its install link always opens its current releases.' })
export class ChannelResponse {
  @IdField({ of: 'channel' })
  id: string;

  @IdField({ of: 'organization' })
  organization_id: string;

  @IdField({ of: 'project', description: 'The project that the channel belongs to.' })
  project_id: string;

  @TextField({ max: 100, example: 'Beta', description: 'The name of the channel. Unique in the project.' })
  name: string;

  @TextField({
    max: 2000,
    nullable: true,
    description:
      "Opens the channel's current releases. Stays the same until it is rotated. `null` for callers who may not download.",
    example: EXAMPLE.channelLink,
  })
  install_url: string | null;

  @TimeField({ example: '2026-11-03T10:05:03.482Z', description: 'When the channel was created.' })
  created_at: string;
}

export class ChannelPage extends PageOf(ChannelResponse) {}
