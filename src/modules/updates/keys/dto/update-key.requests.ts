import { ApiSchema } from '@nestjs/swagger';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { EnumField, IdField } from '#infra/http/dto/fields';
import { ProjectPageQuery, ProjectQuery } from '#infra/http/dto/scope-query';

@ApiSchema({ description: 'A new update key.' })
export class CreateUpdateKeyRequest {
  @EnumField(PLATFORMS, { name: 'Platform', description: 'The platform of the apps that will contain the key.' })
  platform: Platform;
}

export class CreateUpdateKeyQuery extends ProjectQuery {
  @IdField({
    of: 'channel',
    optional: true,
    description: 'The channel whose current release the key opens. When absent: the newest build of the project.',
  })
  channel_id?: string;
}

export class ListUpdateKeysQuery extends ProjectPageQuery {
  @IdField({ of: 'channel', optional: true, description: 'Lists only keys of this channel.' })
  channel_id?: string;
}
