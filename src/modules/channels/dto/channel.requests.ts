import { ApiSchema } from '@nestjs/swagger';
import { TextField } from '#infra/http/dto/fields';

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
