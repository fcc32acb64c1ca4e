import { ApiSchema } from '@nestjs/swagger';
import { TextField } from '#infra/http/dto/fields';
import { ProjectPageQuery } from '#infra/http/dto/scope-query';

@ApiSchema({ description: 'A new channel.' })
export class CreateChannelRequest {
  @TextField({
    max: 100,
    example: 'Beta',
    description: 'The name of the channel. Unique in the project. Testers see it on install pages and in mails.',
  })
  name: string;
}

@ApiSchema({ description: 'Changes of a channel. Absent fields stay as they are.' })
export class UpdateChannelRequest {
  @TextField({
    max: 100,
    optional: true,
    example: 'Beta',
    description: 'The name of the channel. Unique in the project. Testers see it on install pages and in mails.',
  })
  name?: string;
}

export class ListChannelsQuery extends ProjectPageQuery {
  @TextField({
    max: 100,
    optional: true,
    example: 'Beta',
    description: 'Lists only the channel with exactly this name. Names are unique in a project.',
  })
  name?: string;
}
